"""Generates the labelled fleets, judges them, prints the tables: python -m tests.accuracy."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from tests.accuracy import families, report
from tests.accuracy.ever import ever_accused
from tests.accuracy.judges import JUDGES, window_of
from tests.accuracy.scores import Judged
from tests.accuracy.store import load_series

FIRST_SEEDS = {"tuning": 1, "reporting": 1_000_001, "short": 2_000_001}
TABLES_HEADING = "## Tables"
PER_FAMILY = 75


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables that the arguments ask for."""
    asked = _parser().parse_args(argv)
    first = FIRST_SEEDS[asked.seeds]
    chosen = [families.BY_NAME[name] for name in asked.family] or families.ALL
    series = load_series(chosen, range(first, first + asked.per_family), asked.workers)
    verdicts = {}
    seconds = {}
    for name in asked.judges.split(","):
        began = time.perf_counter()
        words = JUDGES[name]([window_of(one) for one in series])
        seconds[name] = time.perf_counter() - began
        verdicts[name] = [Judged(*pair) for pair in zip(series, words, strict=True)]
    rates = {name: ever_accused(series, JUDGES[name]) for name in verdicts} if asked.ever else {}
    pages = _pages(asked, verdicts, rates)
    print("\n".join(pages))
    for name, spent in seconds.items():
        print(f"{name}: {spent / len(series) * 1000:.2f} ms a series")
    if asked.write:
        write_tables(asked.write, pages)


def write_tables(path: Path, pages: Sequence[str]) -> None:
    """Replace what stands below the heading of the tables in a page, or begin the page with it."""
    before = path.read_text().partition(TABLES_HEADING)[0] if path.exists() else ""
    path.write_text("\n".join([f"{before}{TABLES_HEADING}", "", *pages, ""]))


def _pages(asked: argparse.Namespace, verdicts: report.Verdicts, rates: dict) -> list[str]:
    some = next(iter(verdicts.values()))
    pages = [f"{asked.seeds} seeds, {asked.per_family} a family", "", *report.counts(some)]
    pages += ["", *report.overall(verdicts), "", *report.by_overflow(verdicts)]
    pages += ["", *report.recalls(verdicts)]
    if rates:
        pages += ["", *report.ever(rates)]
    for name, judged in verdicts.items():
        pages += ["", f"### {name}", "", *report.per_family(judged)]
        if asked.errors:
            pages += ["", *report.errors(judged)]
    return pages


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy", description=__doc__)
    parser.add_argument("--seeds", choices=FIRST_SEEDS, default="reporting")
    parser.add_argument("--per-family", type=int, default=PER_FAMILY, metavar="N")
    parser.add_argument("--judges", default="published,full", help=",".join(JUDGES))
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    parser.add_argument("--family", action="append", default=[], choices=families.BY_NAME)
    parser.add_argument("--errors", action="store_true", help="list every misjudged series")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the tables into a page")
    parser.add_argument("--ever", action="store_true", help="daily windows over 28 days too")
    return parser


if __name__ == "__main__":
    main()
