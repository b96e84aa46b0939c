"""Serves rollouts, judges them day by day, prints the tables: python -m tests.accuracy.rollouts."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from tests.accuracy.rollouts import report
from tests.accuracy.rollouts.families import BY_NAME
from tests.accuracy.rollouts.run import run

FIRST_SEEDS = {"tuning": 1, "reporting": 1_000_501, "short": 2_000_001}
TABLES_HEADING = "## Readout tables"
PER_FAMILY = 40


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables that the arguments ask for."""
    asked = _parser().parse_args(argv)
    first = FIRST_SEEDS[asked.seeds]
    results = run(asked.family or BY_NAME, range(first, first + asked.per_family), asked.workers)
    pages = [f"{asked.seeds} seeds, {asked.per_family} a family", "", *report.pages(results)]
    print("\n".join(pages))
    if asked.errors:
        print("\n".join(["", *report.errors(results["readout"])]))
    if asked.write:
        before = asked.write.read_text().partition(TABLES_HEADING)[0]
        asked.write.write_text("\n".join([f"{before}{TABLES_HEADING}", "", *pages, ""]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy.rollouts", description=__doc__)
    parser.add_argument("--seeds", choices=FIRST_SEEDS, default="reporting")
    parser.add_argument("--per-family", type=int, default=PER_FAMILY, metavar="N")
    parser.add_argument("--workers", type=int, default=1, metavar="N")
    parser.add_argument("--family", action="append", default=[], choices=BY_NAME, metavar="NAME")
    parser.add_argument("--errors", action="store_true", help="list every misjudged rollout")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the tables into a page")
    return parser


if __name__ == "__main__":
    main()
