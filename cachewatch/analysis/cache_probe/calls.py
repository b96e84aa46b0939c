"""The requests of a trial: each arm a first call, the same once more, the same with another tail.

Every arm of every round begins with text of its own, so that its first call finds nothing. Arms take
turns, and the order of turns changes from round to round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from cachewatch.analysis.cache_generation import Generation
from cachewatch.analysis.cache_key import cache_key

Arm = Literal["plain", "key", "breakpoint"]
Step = Literal["first", "identical", "changed tail"]
STEPS: tuple[Step, ...] = ("first", "identical", "changed tail")
OUTPUT_TOKENS = 16  # the least that the Responses API takes
_SENTENCE = (
    "the note says that each team keeps a list of what it does and how long it takes to do so "
    "when a new task comes in one of us reads it and adds a line with the date and the name"
)
_WORDS = _SENTENCE.split()
_TAILS = {"first": "one", "identical": "one", "changed tail": "two"}


class Trial(NamedTuple):
    """What is tried: the model, the arms, about how many tokens stay the same, how many rounds."""

    model: str
    arms: tuple[Arm, ...]
    static_tokens: int
    rounds: int

    @property
    def calls(self) -> int:
        """How many requests are sent."""
        return self.rounds * len(self.arms) * len(STEPS)


class Call(NamedTuple):
    """One request."""

    round: int
    arm: Arm
    step: Step
    body: dict[str, Any]


def arm_for(generation: Generation) -> Arm:
    """What to try beside the plain request: a key where it steers requests, else a breakpoint."""
    return "key" if generation.key_improves_routing else "breakpoint"


def calls_of(trial: Trial, nonces: Sequence[str]) -> list[Call]:
    """The requests in the order to send them.

    `nonces`: one text per round and arm, different from each other and from earlier trials.
    """
    found = []
    for number in range(trial.rounds):
        arms = trial.arms if number % 2 == 0 else trial.arms[::-1]
        for step in STEPS:
            for arm in arms:
                nonce = nonces[number * len(trial.arms) + trial.arms.index(arm)]
                found.append(Call(number + 1, arm, step, _body(trial, arm, step, nonce)))
    return found


def _body(trial: Trial, arm: Arm, step: Step, nonce: str) -> dict[str, Any]:
    static = static_text(nonce, trial.static_tokens)
    part: dict[str, Any] = {"type": "input_text", "text": static}
    if arm == "breakpoint":
        part["prompt_cache_breakpoint"] = {"mode": "explicit"}
    body: dict[str, Any] = {
        "model": trial.model,
        "input": [
            {"role": "developer", "content": [part]},
            {"role": "user", "content": f"Answer with the word {_TAILS[step]} and nothing else."},
        ],
        "max_output_tokens": OUTPUT_TOKENS,
        "store": False,
    }
    if arm == "key":
        body["prompt_cache_key"] = cache_key(static, None)
    return body


def static_text(nonce: str, tokens: int) -> str:
    """About so many tokens of plain words, after a text that no other trial has."""
    words = [_WORDS[(place * 7 + place // 5) % len(_WORDS)] for place in range(tokens)]
    return f"Trial {nonce}. {' '.join(words)}."
