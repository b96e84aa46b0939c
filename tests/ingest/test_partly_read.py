"""Hours that were read but for a row without a place: what is kept, asked for and known of them."""

from __future__ import annotations

import pytest

from ingest import queries, services
from ingest.models import BackfillWeek, Reject, Series, Source
from ingest.services.keys import put_key
from tests.factories import HOUR, at
from tests.ingest.fake_provider import FakeProvider, result

NOW_HOUR = HOUR + 400


@pytest.fixture
def source(source: Source) -> Source:
    put_key(source, "sk-admin-of-acme")
    source.save()
    return source


def refresh(source: Source, provider: FakeProvider, now_hour: int) -> None:
    reading = services.refresh_source(source, now=at(now_hour, 2), client_of=provider.client_of)
    assert reading is not None
    assert reading.error is None


def test_hours_read_but_for_a_row_are_not_asked_for_over_and_over(
    source: Source, provider: FakeProvider
) -> None:
    provider.fill(range(NOW_HOUR - 48, NOW_HOUR))
    refresh(source, provider, NOW_HOUR)
    provider.fill(range(NOW_HOUR, NOW_HOUR + 240), result(), result(project_id=7))
    for hours in range(24, 264, 24):
        provider.asked.clear()
        refresh(source, provider, NOW_HOUR + hours)
        assert min(start for start, _ in provider.asked) == NOW_HOUR + hours - 48
    assert not BackfillWeek.objects.exists()
    assert queries.complete_to([source.pk], now=at(NOW_HOUR + 240, 2)) == {
        source.pk: NOW_HOUR + 239
    }


def test_the_newest_hour_settles_as_a_whole_one_does(
    source: Source, provider: FakeProvider
) -> None:
    provider.fill(range(NOW_HOUR - 48, NOW_HOUR), result(), result(model=7))
    refresh(source, provider, NOW_HOUR)
    now = at(NOW_HOUR, 2)
    states = queries.hour_states(source, NOW_HOUR - 2, NOW_HOUR + 1, now)
    assert [one.state.value for one in states] == ["partly", "settling", "open"]


def test_a_reject_of_a_partly_read_hour_goes_once_the_provider_no_longer_sends_it(
    source: Source, provider: FakeProvider
) -> None:
    provider.fill([NOW_HOUR - 3], result(), result(model=7), result(input_tokens=-1, model="o4"))
    refresh(source, provider, NOW_HOUR)
    assert set(Reject.objects.values_list("field", flat=True)) == {"model", "input_tokens"}
    provider.fill([NOW_HOUR - 3], result(), result(model=7), result(input_tokens=1, model="o4"))
    refresh(source, provider, NOW_HOUR)
    assert [one.field for one in Reject.objects.all()] == ["model"]


def test_only_the_series_that_the_row_may_belong_to_know_the_hour_in_part(
    source: Source, provider: FakeProvider
) -> None:
    hour = NOW_HOUR - 5
    there, beside = result(), result(project_id="proj_b")
    provider.fill(range(hour - 1, hour + 2), there, beside)
    provider.fill([hour], there, beside, result(model=7))
    refresh(source, provider, NOW_HOUR)
    series = list(Series.objects.order_by("project_id").values_list("pk", flat=True))
    found = queries.load_series_hours(series, hour - 1, hour + 2)
    assert found.partly_read_hours.tolist() == [1, 0]
    assert found.is_partly_read.tolist() == [False, True, False, False, False, False]
    assert found.is_settled.tolist() == [True, False, True, True, True, True]
    assert found.known_before.tolist() == [True, True, False, True, True, True]
    assert found.hour_is_known.tolist() == [[True, True, False, True], [True] * 4]
