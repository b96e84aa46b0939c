"""A run: rollouts generated or loaded, and judged day by day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from tests.accuracy.rollouts.judges import JUDGES, Case, case_of, readout_of
from tests.accuracy.rollouts.scores import DAYS, Judged
from tests.accuracy.rollouts.serving import Rollout
from tests.accuracy.rollouts.store import rollout
from tests.accuracy.store import FOLDER


def judge_one(family: str, seed: int, folder: Path = FOLDER) -> dict[str, Judged]:
    """All judges on one rollout."""
    made, controls = rollout(family, seed, folder)
    case = case_of(made, controls)
    found = {}
    for name, judge in JUDGES.items():
        if name == "readout":
            continue
        words = {day: judge(case, day) for day in DAYS}
        found[name] = Judged(family, seed, made.truth, words, kind=case.kind)
    return {"readout": _by_readout(made, case), **found}


def _by_readout(made: Rollout, case: Case) -> Judged:
    """The readout; its word changes on looks only, and one on day 7 tells what each look said."""
    last = readout_of(case, DAYS[-1])
    said = {look.days: look.state for look in last.looks}
    early = {day: readout_of(case, day).state for day in DAYS if day < min(said)}
    words = {day: early.get(day) or said[max(one for one in said if one <= day)] for day in DAYS}
    return Judged(
        family=made.family,
        seed=made.seed,
        truth=made.truth,
        lasting=made.lasting,
        words=words,
        kind=case.kind,
        measure=last.primary,
        change=last.net.value if last.net else None,
        interval=last.net.interval if last.net else None,
        reasons=last.reasons,
    )


def run(families: Iterable[str], seeds: range, workers: int) -> dict[str, list[Judged]]:
    """By judge: every rollout of the families and seeds, judged."""
    asked = [(family, seed) for seed in seeds for family in families]
    results: dict[str, list[Judged]] = {name: [] for name in JUDGES}
    for found in _in_order(asked, workers):
        for name, judged in found.items():
            results[name].append(judged)
    return results


def _in_order(asked: list[tuple[str, int]], workers: int) -> Iterator[dict[str, Judged]]:
    if workers <= 1:
        yield from (judge_one(*one) for one in asked)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(judge_one, *zip(*asked, strict=True), chunksize=4)
