"""A run: series generated or loaded, and judged, by several processes."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from tests.accuracy.avoidable import Money, check
from tests.accuracy.decisions import BY_MINUTES, Followed, follow
from tests.accuracy.ever import ever_accused
from tests.accuracy.judges import JUDGES, WITH_MINUTES, window_of
from tests.accuracy.literal import Literals, literal_scores
from tests.accuracy.scene import Family
from tests.accuracy.scores import Judged, Rate
from tests.accuracy.store import FOLDER, Chunk, chunks_of, load


class Asked(NamedTuple):
    """What to do with every series: the judges' names, whether to follow it day by day, and whether
    to hold its avoidable tokens against what it lost.
    """

    judges: Sequence[str]
    ever: bool = False
    money: bool = False
    folder: Path = FOLDER


@dataclass
class Results:
    """By judge: the judged series (without their rows), rates by the plainest definition, ever
    accused and announced, what was decided day by day, seconds.

    `money` is the check of avoidable tokens.
    """

    judged: dict[str, list[Judged]] = field(default_factory=dict)
    literal: dict[str, Literals] = field(default_factory=dict)
    ever: dict[str, tuple[Rate, Rate]] = field(default_factory=dict)
    followed: dict[str, list[Followed]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    money: Money = field(default_factory=Money)

    def add(self, other: Results) -> None:
        """Take in the results of some more series."""
        for name, judged in other.judged.items():
            self.judged.setdefault(name, []).extend(judged)
            self.seconds[name] = self.seconds.get(name, 0.0) + other.seconds[name]
            found, before = other.literal[name], self.literal.get(name)
            self.literal[name] = {
                one: scores.plus(before[one]) if before else scores for one, scores in found.items()
            }
        self.money.add(other.money)
        for name, (accused, announced) in other.ever.items():
            ever = self.ever.get(name, (Rate(0, 0), Rate(0, 0)))
            self.ever[name] = (ever[0].plus(accused), ever[1].plus(announced))
        for name, followed in other.followed.items():
            self.followed.setdefault(name, []).extend(followed)


def run(chosen: Sequence[Family], seeds: range, asked: Asked, workers: int) -> Results:
    """Judge all series of the families and seeds; what is missing is generated first."""
    chunks = chunks_of(chosen, seeds)
    results = Results()
    for number, part in enumerate(_in_order(chunks, asked, workers), 1):
        results.add(part)
        if sys.stderr.isatty():
            print(f"\r{number} of {len(chunks)}", end="", file=sys.stderr, flush=True)
    return results


def judge_chunk(chunk: Chunk, asked: Asked) -> Results:
    """The results of one chunk."""
    series = load(chunk, asked.folder)
    windows = [window_of(one) for one in series]
    bare = [replace(one, hours=one.hours.none(), minutes=one.hours.none()) for one in series]
    results = Results(money=check(series) if asked.money else Money())
    for name in asked.judges:
        began = time.perf_counter()
        words = JUDGES[name](windows)
        results.seconds[name] = time.perf_counter() - began
        results.judged[name] = [Judged(*pair) for pair in zip(bare, words, strict=True)]
        results.literal[name] = literal_scores(series, words)
        if asked.ever and name not in WITH_MINUTES:
            results.ever[name] = ever_accused(series, JUDGES[name])
        if asked.ever and name in BY_MINUTES:
            results.followed[name] = follow(series, by_minutes=BY_MINUTES[name])
    return results


def _in_order(chunks: Sequence[Chunk], asked: Asked, workers: int) -> Iterator[Results]:
    judge = partial(judge_chunk, asked=asked)
    if workers <= 1:
        yield from map(judge, chunks)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(judge, chunks)
