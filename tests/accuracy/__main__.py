"""Generates the labelled fleets, judges them, prints the tables: python -m tests.accuracy."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from tests.accuracy import avoidable, families, report
from tests.accuracy.judges import JUDGES
from tests.accuracy.page import filled
from tests.accuracy.run import Asked, Results, run
from tests.accuracy.store import make_files

# Verdicts on the seeds "looked-at" were read while rules still changed: no clean measure any more.
FIRST_SEEDS = {"tuning": 1, "looked-at": 1_000_001, "short": 2_000_001, "reporting": 3_000_001}
PER_FAMILY = 75


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables that the arguments ask for."""
    asked = _parser().parse_args(argv)
    first = FIRST_SEEDS[asked.seeds]
    chosen = [families.BY_NAME[name] for name in asked.family] or families.ALL
    seeds = range(first, first + asked.per_family)
    if asked.fleets_only:
        make_files(chosen, seeds, asked.workers)
        return
    results = run(chosen, seeds, _asked(asked), asked.workers)
    pages = _pages(asked, results)
    print("\n".join(pages))
    for name, spent in results.seconds.items():
        print(f"{name}: {spent / len(results.judged[name]) * 1000:.2f} ms a series")
    if asked.write:
        asked.write.write_text(filled(asked.write.read_text(), pages))


def _asked(asked: argparse.Namespace) -> Asked:
    return Asked(asked.judges.split(","), ever=asked.ever, money=asked.money)


def _pages(asked: argparse.Namespace, results: Results) -> list[str]:
    verdicts = results.judged
    some = next(iter(verdicts.values()))
    pages = [f"{asked.seeds} seeds, {asked.per_family} a family", "", *report.counts(some)]
    pages += ["", *report.overall(verdicts), "", *report.by_leaving_home(verdicts)]
    pages += ["", *report.literal(results.literal), "", *report.recalls(verdicts)]
    if results.ever:
        pages += ["", *report.ever(results.ever)]
    if results.followed:
        pages += ["", *report.decided(results.followed)]
        pages += ["", *report.wrongly_open(results.followed)]
    if asked.money:
        pages += ["", *avoidable.lines(results.money)]
        pages += ["", *avoidable.misses(results.money)] if asked.errors else []
    for name, judged in verdicts.items():
        pages += ["", f"### {name}", "", *report.per_family(judged)]
        if asked.errors:
            pages += ["", *report.errors(judged)]
    return pages


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy", description=__doc__)
    parser.add_argument("--seeds", choices=FIRST_SEEDS, default="reporting")
    parser.add_argument("--per-family", type=int, default=PER_FAMILY, metavar="N")
    parser.add_argument(
        "--judges", default=",".join(JUDGES), metavar="NAMES", help="of %(default)s"
    )
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    parser.add_argument(
        "--family", action="append", default=[], choices=families.BY_NAME, metavar="NAME"
    )
    parser.add_argument("--errors", action="store_true", help="list every misjudged series")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="replace the tables of a page")
    parser.add_argument(
        "--fleets-only", action="store_true", help="make the series ahead of time, judge none"
    )
    parser.add_argument("--ever", action="store_true", help="daily windows over 28 days too")
    parser.add_argument("--money", action="store_true", help="check avoidable tokens too")
    return parser


if __name__ == "__main__":
    main()
