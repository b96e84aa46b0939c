"""The accuracy run of rollouts in small: one of each family, fixed seeds, exact words."""

from __future__ import annotations

import pytest

from tests.accuracy.rollouts.__main__ import FIRST_SEEDS
from tests.accuracy.rollouts.families import BY_NAME
from tests.accuracy.rollouts.run import run
from tests.accuracy.rollouts.scores import Judged, ever_wrong, fair, harm_seen, recognised
from tests.accuracy.scores import Rate

ON_DAY_7 = {
    "real": "improved",
    "real-conversations": "improved",
    "partial": "improved",
    "nothing-scattered": "no-detectable-change",
    "per-request-still": "no-detectable-change",
    "scattered-to-per-request": "worse",
    "healthy-to-per-request": "worse",
    "breakpoint": "improved",
    "retention": "improved",
    "retention-too-short": "improved",
    "warm-call": "improved",
    "warm-call-too-early": "no-detectable-change",
    "writes": "improved",
    "writes-still": "no-detectable-change",
    "writes-more": "worse",
    "traffic-doubles": "no-detectable-change",
    "traffic-halves": "no-detectable-change",
    "doubled-and-repaired": "improved",
    "model-changes": "traffic-changed",
    "prompt-changes": "no-detectable-change",
    "prompt-marked": "contaminated",
    "prompt-reordered": "traffic-changed",
    "weekend": "no-detectable-change",
    "holiday": "no-detectable-change",
    "drift": "no-detectable-change",
    "provider-wide": "contaminated",
}
EVER_WRONG = {"readout": Rate(0, 25), "naive": Rate(5, 25), "note": Rate(2, 25)}


@pytest.fixture(scope="module")
def judged() -> dict[str, list[Judged]]:
    first = FIRST_SEEDS["short"]
    return run(BY_NAME, range(first, first + 1), workers=2)


def test_each_family_has_the_word_it_had(judged):
    assert {one.family: one.words[7] for one in judged["readout"]} == ON_DAY_7


def test_no_word_is_ever_wrong_where_hourly_numbers_can_tell(judged):
    assert {name: ever_wrong(fair(found)) for name, found in judged.items()} == EVER_WRONG


def test_real_repairs_and_harm_are_recognised(judged):
    known = fair(judged["readout"])
    assert (recognised(known, 7), harm_seen(known, 7)) == (Rate(7, 7), Rate(3, 3))
