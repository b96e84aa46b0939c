"""The rollouts themselves: what is true about them, and what judges may see."""

from __future__ import annotations

import numpy as np
import pytest

from tests.accuracy.rollouts import judges, store
from tests.accuracy.rollouts.families import BY_NAME, FAMILIES
from tests.accuracy.rollouts.scores import Judged
from tests.accuracy.rollouts.serving import Truth, Usage, truth_of
from tests.accuracy.scene import Draw

MARKER = 1000
SEED = 2_000_001


def usage(share_before: float, share_after: float, *, days: int = 14, quiet: float = 1.0) -> Usage:
    hour = np.arange(MARKER - 168, MARKER - 168 + 24 * days)
    requests = np.where(hour % 24 < 12, 100, round(1000 * quiet))
    share = np.where(hour < MARKER, share_before, share_after)
    tokens = requests * 1000
    zeros = np.zeros_like(hour)
    return Usage(hour, zeros, requests, tokens, (tokens * share).astype(np.int64), zeros)


def test_the_truth_is_the_share_with_the_repair_minus_that_without():
    found = truth_of(usage(0.2, 0.7, days=15), usage(0.2, 0.2, days=15), MARKER)
    assert (found.busy, found.pooled, found.first) == pytest.approx((0.5, 0.5, None))
    assert found.cost == pytest.approx((1 - 0.7 * 0.9) / (1 - 0.2 * 0.9) - 1)


def test_a_repair_that_was_never_made_is_true_to_nothing():
    same = usage(0.2, 0.7, days=15)
    assert truth_of(same, same, MARKER) == Truth(0.0, 0.0, None, 0.0)


def test_first_hours_after_a_pause_have_a_truth_of_their_own():
    def opening(of: Usage) -> Usage:
        return Usage(*(column[of.hour % 24 >= 6] for column in of))

    with_it, without = opening(usage(0.2, 0.6, days=15)), opening(usage(0.2, 0.6, days=15))
    late = (without.hour >= MARKER) & (without.hour % 24 == 6)
    without = without._replace(cached=np.where(late, without.cached // 3, without.cached))
    assert truth_of(with_it, without, MARKER).first == pytest.approx(0.4)


def test_the_gain_of_a_repair_is_that_of_its_kind():
    def gains(kind: str) -> tuple[float, float]:
        return Judged("writes", 1, Truth(0.1, 0.05, 0.3, -0.2), {}, kind=kind).gains

    assert [gains(kind) for kind in ("key", "warm-call", "writes")] == [
        (0.1, 0.05),
        (0.3, 0.3),
        (0.2, 0.2),
    ]


@pytest.mark.parametrize("family", [one.name for one in FAMILIES])
def test_every_family_leaves_a_week_after_the_marker_and_fifteen_days_before(family):
    for seed in range(20):
        scene = BY_NAME[family].draw(Draw(family, seed))
        assert -28 * 24 + 15 * 24 < scene.marker <= -(7 * 24 + 4)
        assert scene.site.days == 28
        assert (scene.site.first_hour // 24 + 3) % 7 == 0  # a Monday


@pytest.mark.parametrize("family", ["nothing-scattered", "traffic-doubles", "drift", "holiday"])
def test_families_without_an_effect_are_true_to_nothing(family):
    scene = BY_NAME[family].draw(Draw(family, SEED))
    assert scene.shipped == scene.untouched


def test_a_rollout_comes_back_from_its_file_as_it_was_served(tmp_path):
    family = "per-request-still"
    first, _ = store._made(family, SEED)
    again, _ = store._read(_written(tmp_path, family))
    assert first.truth == again.truth
    assert all(np.array_equal(one, two) for one, two in zip(first.usage, again.usage, strict=True))


def _written(folder, family):
    path = folder / "one.npz"
    store._write(path, store._made(family, SEED))
    return path


def test_a_judge_sees_no_hour_that_is_not_settled_on_its_day():
    case = judges.Case(
        "gpt-5.4", "key", MARKER - 168, MARKER, False, False, ("gpt-5.4",), usage(0.2, 0.7), ()
    )
    assert int(case.until(MARKER + 48).usage.hour.max()) == MARKER + 47


def test_the_naive_comparison_and_the_published_check_say_what_they_are_to_say():
    def case(of: Usage) -> judges.Case:
        return judges.Case(
            "gpt-5.4", "key", MARKER - 168, MARKER, False, False, ("gpt-5.4",), of, ()
        )

    assert judges.naive(case(usage(0.2, 0.7)), 7) == "improved"
    assert judges.naive(case(usage(0.7, 0.2)), 7) == "worse"
    assert judges.naive(case(usage(0.5, 0.52)), 7) == "no-detectable-change"
    fell = usage(0.5, 0.5)
    load = np.where(fell.hour < MARKER, fell.requests, 0)
    scattered = fell._replace(cached=fell.cached - load * fell.requests // 4)
    assert judges.note(case(scattered), 7) == "improved"


def test_wrong_words_are_definite_ones_for_next_to_nothing():
    words = dict.fromkeys((1, 2, 3, 4, 5, 7), "collecting")
    null = Judged("drift", 1, Truth(0.01, 0.0), words | {4: "improved"})
    real = Judged("real", 1, Truth(0.3, 0.2), words | {7: "improved"})
    assert (null.ever_wrong, real.ever_wrong) == (True, False)
    assert real._replace(words=words | {2: "worse"}).ever_wrong
