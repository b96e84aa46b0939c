"""Prints what each rule buys: python -m tests.accuracy.ablation."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context

from tests.accuracy import families
from tests.accuracy.__main__ import FIRST_SEEDS
from tests.accuracy.ablation.switched import switched
from tests.accuracy.ablation.variants import DROPPED, LEFT_OUT, Variant
from tests.accuracy.judges import Window, classified, window_of, without_minutes
from tests.accuracy.report import percent, table
from tests.accuracy.scores import Judged, scores
from tests.accuracy.store import Chunk, chunks_of, load

IN_FORCE = "the rules in force, on hours alone"
PER_FAMILY = 25
Found = dict[str, list[Judged]]


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table of the seeds that the arguments name."""
    asked = _parser().parse_args(argv)
    first = FIRST_SEEDS[asked.seeds]
    seeds = range(first, first + asked.per_family)
    found: Found = {}
    for part in _in_order(chunks_of(families.ALL, seeds), asked.every, asked.workers):
        for name, judged in part.items():
            found.setdefault(name, []).extend(judged)
    print(f"{asked.seeds} seeds, every {asked.every} of {asked.per_family} a family\n")
    print("\n".join(lines(found)))


def lines(found: Found) -> list[str]:
    """The table: the rules in force first, then what was left out, then what was tried."""
    head = ("change", "recall", "false accusations", "where nothing leaves home", "acceptable")
    rows = [[name, *_rates(judged)] for name, judged in found.items()]
    return table(head, rows)


def judge_variants(chunk: Chunk, every: int) -> Found:
    """The words of every variant for each `every`th series of a chunk, without its rows."""
    series = load(chunk)[::every]
    windows = [without_minutes(window_of(one)) for one in series]
    found = classified(windows)
    base = [found.verdict(place) for place in range(len(windows))]
    falls = sorted(found.decisions.examined) if found.decisions else []
    words = {IN_FORCE: base}
    for variant in (*LEFT_OUT, *DROPPED):
        words[variant.says] = _words(variant, windows, base, falls)
    bare = [replace(one, hours=one.hours.none(), minutes=one.hours.none()) for one in series]
    return {
        name: [Judged(*pair) for pair in zip(bare, given, strict=True)]
        for name, given in words.items()
    }


def _words(
    variant: Variant, windows: Sequence[Window], base: Sequence[str], falls: Sequence[int]
) -> list[str]:
    """The words of a variant; only series with a fall are judged again where that is enough."""
    places = falls if variant.only_falls else range(len(windows))
    words, seen = list(base), [variant.window(windows[place]) for place in places]
    if seen:
        with switched(variant.changes(seen)):
            found = classified(seen)
        for at, place in enumerate(places):
            words[place] = found.verdict(at)
    return words


def _rates(judged: Sequence[Judged]) -> list[str]:
    found = scores(judged)
    return [
        percent(found.recall),
        percent(found.false_accusations),
        _never(judged),
        percent(found.acceptable),
    ]


def _never(judged: Sequence[Judged]) -> str:
    part = [one for one in judged if families.BY_NAME[one.series.family].leaves_home == "never"]
    return percent(scores(part).false_accusations)


def _in_order(chunks: Sequence[Chunk], every: int, workers: int) -> Iterator[Found]:
    judge = partial(judge_variants, every=every)
    if workers <= 1:
        yield from map(judge, chunks)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(judge, chunks)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy.ablation", description=__doc__)
    parser.add_argument("--seeds", choices=FIRST_SEEDS, default="tuning")
    parser.add_argument("--per-family", type=int, default=PER_FAMILY, metavar="N")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of the seeds, one in N")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    return parser


if __name__ == "__main__":
    main()
