"""Decisions of stored histories: once a service day, from daily windows, whatever an hour says."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cachewatch.verdicts.deciding import decide_due
from cachewatch.verdicts.models import Decision, Verdict
from cachewatch.verdicts.services import classify_part, classify_past_days, classify_stale
from cachewatch.verdicts.shards import WHOLE
from cachewatch.verdicts.thresholds import set_thresholds
from ingest.models import Source
from tests.cachewatch.verdicts.histories import days, falling, flat_low, only_series, store_hours
from tests.factories import HOUR, at

MONDAY = date(2026, 11, 2)
SCATTER, FLAT_LOW, HEALTHY = "load-correlated-misses", "flat-low-share", "healthy"
QUIETEST = 3  # the UTC hour with the fewest requests of histories.DAY_LOAD, where a day is cut

pytestmark = pytest.mark.django_db


def steady(_load: int) -> float:
    return 0.70


def settled(hour: int):  # type: ignore[no-untyped-def]
    """When the hours before this one have settled, hours counted from MONDAY's midnight."""
    return at(HOUR + hour + 2, 5)


def stands() -> tuple[str, bool, bool, date, date]:
    one = Decision.objects.get()
    return one.code, one.is_finding, one.confirmed, one.since_day, one.decided_on


def live_hour(source: Source, hour: int, share) -> None:  # type: ignore[no-untyped-def]
    """One more hour is read, and all that follows each minute is done."""
    store_hours(source, [HOUR + hour - 1], share, read_at_hour=HOUR + hour + 2)
    assert classify_part(source, WHOLE, now=settled(hour)) is not None


def day_of(number: int) -> date:
    return MONDAY + timedelta(days=number)


def test_four_weeks_that_were_filled_in_have_a_confirmed_decision_at_once(source: Source) -> None:
    store_hours(source, days(0, 28), falling)
    assert classify_part(source, WHOLE, now=settled(24 * 28)) == (1, 21)
    assert stands() == (SCATTER, True, True, day_of(6), day_of(27))
    one = Decision.objects.get()
    assert (one.agreeing, one.windows, one.cause, one.pending_code) == (3, 3, "", "")


def test_a_single_week_decides_at_once_and_is_provisional(source: Source) -> None:
    store_hours(source, days(0, 7), falling)
    classify_stale([source], now=settled(24 * 7))
    assert stands() == (SCATTER, True, False, day_of(6), day_of(6))


def test_between_the_ends_of_service_days_no_hour_changes_a_decision(source: Source) -> None:
    store_hours(source, days(0, 10), falling)
    classify_part(source, WHOLE, now=settled(240))
    before = Decision.objects.get()
    for hour in range(241, 240 + QUIETEST):
        live_hour(source, hour, steady)
        assert Decision.objects.get().decided_at == before.decided_at
    live_hour(source, 240 + QUIETEST, steady)
    after_cut = Decision.objects.get()
    assert after_cut.decided_at > before.decided_at
    live_hour(source, 241 + QUIETEST, steady)
    assert Decision.objects.get().decided_at == after_cut.decided_at


def test_what_is_restated_after_the_service_day_changes_the_verdict_and_no_decision(
    source: Source,
) -> None:
    store_hours(source, days(0, 10), falling)
    classify_part(source, WHOLE, now=settled(240))
    store_hours(source, days(3, 10), flat_low, read_at_hour=HOUR + 242)
    assert classify_part(source, WHOLE, now=settled(240)) == (1, 0)
    assert Verdict.objects.get(is_newest=True).code == FLAT_LOW
    assert stands()[:3] == (SCATTER, True, True)


def test_a_decision_whose_run_was_killed_is_taken_by_the_next(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_hours(source, days(0, 10), falling)

    def killed(*_args: object, **_names: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("cachewatch.verdicts.services.decide_due", killed)
        with pytest.raises(KeyboardInterrupt):
            classify_part(source, WHOLE, now=settled(240))
    assert (Decision.objects.count(), Verdict.objects.count()) == (0, 4)
    classify_part(source, WHOLE, now=settled(240))
    assert stands() == (SCATTER, True, True, day_of(6), day_of(9))
    assert decide_due([source], now=settled(240)) == 0


def test_a_history_that_comes_later_is_taken_into_account(source: Source) -> None:
    store_hours(source, days(0, 10), falling)
    classify_stale([source], now=settled(240))
    assert stands()[2:4] == (False, day_of(9))
    classify_past_days([source], now=settled(240))
    assert stands()[2:4] == (True, day_of(6))


def test_a_minute_in_which_nothing_is_due_costs_one_query_however_many_series_there_are(
    source: Source,
) -> None:
    store_hours(source, days(0, 8), falling, proj_b=steady, proj_c=flat_low)
    classify_part(source, WHOLE, now=settled(192))
    with CaptureQueriesContext(connection) as asked:
        assert decide_due([source], now=settled(192)) == 0
    assert len(asked) == 1


def test_all_that_is_due_of_a_source_is_decided_by_few_queries(source: Source) -> None:
    store_hours(source, days(0, 8), falling, proj_b=steady, proj_c=flat_low)
    classify_part(source, WHOLE, now=settled(192))
    Decision.objects.update(is_due=True)
    with CaptureQueriesContext(connection) as asked:
        assert decide_due([source], now=settled(192)) == 3
    assert len(asked) <= 7


def test_thresholds_that_a_team_sets_decide_anew_at_once_and_the_decision_says_why(
    source: Source,
) -> None:
    store_hours(source, days(0, 10), falling)
    classify_part(source, WHOLE, now=settled(240))
    set_thresholds(source, None, {"ratio_floor": 0.1}, by=None, now=settled(240))
    classify_part(source, WHOLE, now=settled(240))
    code, is_finding, confirmed, since, _on = stands()
    assert code != SCATTER
    assert (is_finding, confirmed, since) == (False, False, day_of(9))
    assert Decision.objects.get().cause == "thresholds"


def test_a_flip_by_other_rules_says_so_and_one_that_stays_is_as_confirmed_as_before(
    source: Source,
) -> None:
    store_hours(source, days(0, 10), falling)
    classify_part(source, WHOLE, now=settled(240))
    older = {"rules": "full-2", "code": HEALTHY, "is_finding": False}
    for row in Verdict.objects.filter(is_newest=False):
        Verdict.objects.filter(pk=row.pk).update(
            code=HEALTHY, rules_version="full-2", daily_facts=row.daily_facts | older
        )
    Decision.objects.update(is_due=True)
    decide_due([source], now=settled(240))
    assert stands()[:4] == (SCATTER, True, False, day_of(9))
    assert Decision.objects.get().cause == "rules"
    for row in Verdict.objects.filter(is_newest=False):
        same = row.daily_facts | {"code": SCATTER, "is_finding": True}
        Verdict.objects.filter(pk=row.pk).update(code=SCATTER, daily_facts=same)
    Decision.objects.update(is_due=True)
    decide_due([source], now=settled(240))
    assert stands()[:4] == (SCATTER, True, True, day_of(6))
    assert Decision.objects.get().cause == ""


def test_a_run_that_began_before_the_days_that_are_read_again_keeps_its_first_day(
    source: Source,
) -> None:
    store_hours(source, days(0, 30), falling)
    classify_part(source, WHOLE, now=settled(24 * 30))
    assert stands()[3] == day_of(6)
    store_hours(source, days(30, 36), falling)
    classify_part(source, WHOLE, now=settled(24 * 36))
    classify_past_days([source], now=settled(24 * 36))
    assert stands()[2:] == (True, day_of(6), day_of(35))


def test_a_first_decision_goes_back_to_the_first_day_of_its_run(source: Source) -> None:
    store_hours(source, days(0, 40), falling)
    classify_stale([source], now=settled(24 * 40))
    classify_past_days([source], now=settled(24 * 40), max_days=40)
    Decision.objects.all().delete()
    decide_due([source], now=settled(24 * 40))
    assert stands()[2:] == (True, day_of(6), day_of(39))


def test_rows_that_were_stored_before_there_were_decisions_count_by_their_code(
    source: Source,
) -> None:
    store_hours(source, days(0, 10), flat_low)
    classify_part(source, WHOLE, now=settled(240))
    Verdict.objects.update(window_facts=None, daily_facts=None)
    Decision.objects.all().delete()
    assert decide_due([source], now=settled(240)) == 1
    assert stands() == (FLAT_LOW, True, True, day_of(6), day_of(9))
    assert only_series(source).decision.thresholds_key == Verdict.objects.first().thresholds_key  # type: ignore[union-attr]
