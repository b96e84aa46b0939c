"""What holds of every claim, whatever the hours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from cachewatch.analysis.part_sums import Parts
from tests.cachewatch.analysis.claims_of import (
    COLD,
    FLAT_LOW,
    NO_CACHED,
    SCATTER,
    SPARSE,
    claimed,
    rates_of,
)
from tests.cachewatch.analysis.series_of import BASE_HOUR, batch_of

hours_of_a_series = st.lists(
    st.tuples(st.integers(1, 2000), st.integers(100, 5000), st.floats(0, 1), st.floats(0, 1)),
    min_size=8,
    max_size=60,
)


def series_and_writes(hours):
    rows = [
        (BASE_HOUR + i, requests, requests * size, float(round(requests * size * share)))
        for i, (requests, size, share, _) in enumerate(hours)
    ]
    batch = batch_of(rows)
    part = np.array([part for *_, part in hours])
    return replace(batch, cache_write_tokens=(batch.input_tokens - batch.cached_tokens) * part)


def scaled(batch, by):
    names = ("input_tokens", "cached_tokens", "cache_write_tokens")
    return replace(batch, **{name: getattr(batch, name) * by for name in names})


findings = st.sampled_from([SCATTER, COLD, FLAT_LOW, SPARSE, NO_CACHED])
PRICES = (2.0, 0.2, 2.5)


@given(hours=hours_of_a_series, verdict=findings, best=st.floats(0, 1), flag=st.booleans())
# Most hours at random have no fall that is worth a claim.
@settings(deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_a_claim_is_never_negative_and_never_more_than_was_missed(hours, verdict, best, flag):
    batch = series_and_writes(hours)
    rates = rates_of(len(batch.hour), PRICES)
    claim = claimed(batch, verdict, rates, best_share=[best], writes_not_read=flag)
    assume(claim is not None)
    low, high = claim.tokens_per_week
    missed = (batch.input_tokens - batch.cached_tokens).sum()
    assert 0 <= low <= high <= missed * (1 + 1e-9) + 1e-6
    dearest = (2.5 - 0.2) / 1e6
    assert 0 <= claim.usd_per_week[0] <= claim.usd_per_week[1] <= high * dearest * (1 + 1e-9)


@given(hours=hours_of_a_series, verdict=findings, best=st.floats(0, 1), flag=st.booleans())
@settings(deadline=None)
def test_cutting_every_hour_into_halves_changes_nothing(hours, verdict, best, flag):
    batch = series_and_writes(hours)
    half = scaled(batch, 0.5)
    half = replace(half, requests=half.requests / 2)
    count = len(batch.hour)
    halves = Parts(
        replace(
            half,
            offsets=np.array([0, count, 2 * count]),
            reported=type(half.reported)(*(np.tile(values, 2) for values in half.reported)),
            **{
                name: np.tile(getattr(half, name), 2)
                for name in half.__dataclass_fields__
                if name not in ("offsets", "reported")
            },
        ),
        np.array([0, 0]),
    )
    answers = {"best_share": [best], "writes_not_read": flag}
    whole = claimed(batch, verdict, rates_of(count, PRICES), **answers)
    cut = claimed(batch, verdict, rates_of(2 * count, PRICES), parts=halves, **answers)
    assert (whole is None) == (cut is None)
    if whole is not None and cut is not None:
        assert cut.tokens_per_week == pytest.approx(whole.tokens_per_week, rel=1e-6, abs=1e-3)
        assert cut.usd_per_week == pytest.approx(whole.usd_per_week, rel=1e-6, abs=1e-6)


@given(hours=hours_of_a_series, verdict=findings, flag=st.booleans())
@settings(deadline=None)
def test_four_times_the_requests_of_every_hour_are_four_times_the_loss(hours, verdict, flag):
    batch = series_and_writes(hours)
    more = replace(scaled(batch, 4.0), requests=batch.requests * 4)
    one, four = (claimed(b, verdict, best_share=[0.6], writes_not_read=flag) for b in (batch, more))
    assert (one is None) == (four is None)
    if one is not None and four is not None:
        assert four.tokens_per_week[0] == pytest.approx(4 * one.tokens_per_week[0], rel=1e-9)
        # A busier series may be followed further down its line, never less far.
        assert four.tokens_per_week[1] >= 4 * one.tokens_per_week[1] * (1 - 1e-9)
