"""A source without verdicts gets its first ones when its first week was tried."""

from __future__ import annotations

import pytest

from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.services import classify_stale
from ingest.models import BackfillWeek
from tests.cachewatch.verdicts.histories import days, falling, store_hours
from tests.factories import HOUR, at

NOW = at(HOUR + 24 * 7 + 3)
QUEUED, RUNNING, FETCHED = (
    BackfillWeek.State.QUEUED,
    BackfillWeek.State.RUNNING,
    BackfillWeek.State.FETCHED,
)


def a_week(source, state, **fields):
    return BackfillWeek.objects.create(
        source=source,
        start_hour=HOUR - 48,
        end_hour=HOUR + 120,
        state=state,
        updated_at=NOW,
        **fields,
    )


@pytest.fixture
def last_two_days(source):
    store_hours(source, range(HOUR + 120, HOUR + 168), falling)
    return source


@pytest.mark.django_db
@pytest.mark.parametrize(("state", "tries"), [(QUEUED, 0), (RUNNING, 1), (RUNNING, 0)])
def test_no_verdict_is_made_on_two_days_while_the_week_before_is_being_read(
    last_two_days, state, tries
):
    week = a_week(last_two_days, state, tries=tries)
    assert classify_stale([last_two_days], now=NOW) == 0
    store_hours(last_two_days, days(0, 5), falling)
    week.state = FETCHED
    week.save()
    assert classify_stale([last_two_days], now=NOW) == 1
    (verdict,) = Verdict.objects.all()
    assert (verdict.window_start_hour, verdict.linked_hours) == (HOUR, 167)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("state", "fields"),
    [
        (QUEUED, {"tries": 1, "note": "The provider answered 500."}),
        (RUNNING, {"tries": 2}),
        (FETCHED, {"tries": 1}),
        (BackfillWeek.State.REFUSED, {}),
        (BackfillWeek.State.FAILED, {"tries": 5}),
    ],
)
def test_a_week_that_could_not_be_read_at_once_is_not_waited_for(last_two_days, state, fields):
    a_week(last_two_days, state, **fields)
    assert classify_stale([last_two_days], now=NOW) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("fields", [{"paused": True}, {"problem": "The key is revoked."}])
def test_a_source_that_is_not_being_read_is_judged_on_what_is_there(last_two_days, fields):
    a_week(last_two_days, QUEUED)
    for name, value in fields.items():
        setattr(last_two_days, name, value)
    assert classify_stale([last_two_days], now=NOW) == 1


@pytest.mark.django_db
def test_a_source_with_verdicts_does_not_wait_for_a_week_that_is_asked_for_again(last_two_days):
    assert classify_stale([last_two_days], now=NOW) == 1
    a_week(last_two_days, QUEUED)
    store_hours(last_two_days, range(HOUR + 168, HOUR + 169), falling)
    assert classify_stale([last_two_days], now=at(HOUR + 172)) == 1


@pytest.mark.django_db
def test_a_week_before_the_window_is_not_waited_for(last_two_days):
    week = a_week(last_two_days, QUEUED)
    week.start_hour, week.end_hour = HOUR - 168, HOUR
    week.save()
    assert classify_stale([last_two_days], now=NOW) == 1
