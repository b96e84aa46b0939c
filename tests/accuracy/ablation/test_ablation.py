"""The ablation itself: a change holds where it is switched on, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis import gap_test, levelling
from tests.accuracy import families
from tests.accuracy.ablation.__main__ import IN_FORCE, judge_variants, lines
from tests.accuracy.ablation.few_days import few_days
from tests.accuracy.ablation.switched import Place, limit, switched
from tests.accuracy.ablation.variants import DROPPED, LEFT_OUT
from tests.accuracy.judges import window_of, without_minutes
from tests.accuracy.series import labelled_series
from tests.accuracy.store import Chunk

SHORT = 2_000_001


def fails_inside(changes):
    with switched(changes):
        raise ZeroDivisionError


def test_a_limit_is_another_one_inside_and_the_same_again_after_an_error():
    before = levelling.LEVELS_OFF
    place, changed = limit(levelling, "LEVELS_OFF", 9.0)
    with switched({place: changed}):
        assert levelling.LEVELS_OFF is changed
        assert changed == before._replace(default=9.0)
    with pytest.raises(ZeroDivisionError):
        fails_inside({place: changed})
    assert levelling.LEVELS_OFF is before


def test_every_variant_names_something_that_is_there_and_says_something_of_its_own():
    window = without_minutes(window_of(labelled_series(families.BY_NAME["load-flat"], SHORT)))
    every = (*LEFT_OUT, *DROPPED)
    for variant in every:
        for place in variant.changes([window]):
            assert hasattr(place.owner, place.name)
    assert len({variant.says for variant in every}) == len(every)


def test_few_days_take_their_variance_from_series_of_similar_volume():
    family = families.BY_NAME["scatter-tenants"]
    windows = [without_minutes(window_of(labelled_series(family, SHORT + n))) for n in range(3)]
    ((place, half_width),) = few_days(windows).items()
    assert place == Place(gap_test, "_half_width")
    gaps = np.array([[0.1, 0.3, 0.2]] * 3)
    known = np.ones_like(gaps, dtype=bool)
    days = np.array([3, 3, 3])
    found = half_width(gaps, known, gaps.mean(axis=1), days)
    assert 0 < found[0] < gap_test._half_width(gaps, known, gaps.mean(axis=1), days)[0]
    assert half_width(gaps, known, gaps.mean(axis=1), np.array([1, 1, 1]))[0] == np.inf


def test_a_table_has_a_row_for_the_rules_in_force_and_for_each_variant():
    seeds = range(SHORT, SHORT + 3)
    found = judge_variants(Chunk("tenants-expire", seeds), every=3)
    assert list(found) == [IN_FORCE, *(one.says for one in (*LEFT_OUT, *DROPPED))]
    assert len(lines(found)) == 2 + len(found)
    assert {len(judged) for judged in found.values()} == {1}
