"""Plays many rounds of kill -9, printing each: python -m tests.faults.

With --state, what was played is written down, and the same command goes on after it.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from tests.faults.rounds import ACTIVITIES, Round, rounds, stand
from tests.faults.targets import TARGETS
from tests.services_plugin import TEST_SECRETS

ROUNDS, SEED = 200, 2026
# The schedule of beat is read from the settings, which ask for these; nothing here answers.
_PLACEHOLDERS = TEST_SECRETS | {
    "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
    "REDIS_URL": "redis://127.0.0.1:1/0",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Play the rounds that are not played yet; 1 where one failed, its difference printed."""
    asked = _parser().parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    os.environ |= _PLACEHOLDERS
    played = _played(asked.state, asked.seed)
    wanted = [one for one in islice(rounds(asked.seed), asked.rounds) if one.number not in played]
    if wanted:
        with stand() as running:
            for one in wanted:
                try:
                    seconds = running.play(one)
                except AssertionError as difference:
                    print(f"{_told(one)}  FAILED\n{difference}", flush=True)
                    return 1
                print(f"{_told(one)}  equal after {seconds:.1f} s", flush=True)
                played[one.number] = one
                _note(asked.state, asked.seed, one, seconds)
    _summary(list(played.values()), asked.seed)
    return 0


def _told(one: Round) -> str:
    when = time.strftime("%H:%M:%S", time.gmtime())
    return f"{when}  round {one.number:3}  kill -9 of {one.target:16} in {one.activity:14}"


def _played(state: Path | None, seed: int) -> dict[int, Round]:
    if state is None or not state.exists():
        return {}
    lines = [json.loads(line) for line in state.read_text().splitlines()]
    known = [Round(*line["round"]) for line in lines if line["seed"] == seed]
    return {one.number: one for one in known}


def _note(state: Path | None, seed: int, one: Round, seconds: float) -> None:
    if state is not None:
        with state.open("a") as file:
            file.write(
                json.dumps({"seed": seed, "round": list(one), "seconds": round(seconds, 1)}) + "\n"
            )


def _summary(played: Sequence[Round], seed: int) -> None:
    counted = Counter((one.target, one.activity) for one in played)
    print(f"\n{len(played)} rounds of seed {seed}, all equal to the undisturbed source.")
    print(f"{'':18}" + "".join(f"{name:>16}" for name in ACTIVITIES))
    for target in TARGETS:
        numbers = "".join(f"{counted[target, name]:16}" for name in ACTIVITIES)
        print(f"{target:18}{numbers}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help="%(default)s")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help="%(default)s")
    parser.add_argument("--state", type=Path, metavar="FILE", help="what was played; to go on")
    return parser


if __name__ == "__main__":
    sys.exit(main())
