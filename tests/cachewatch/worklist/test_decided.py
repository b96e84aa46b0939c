"""Findings follow decisions: no hour opens or clears one, and what is not the traffic is said."""

from __future__ import annotations

import pytest

from cachewatch.verdicts.deciding import decide_due
from cachewatch.verdicts.models import Decision, Verdict
from cachewatch.verdicts.services import classify_part
from cachewatch.verdicts.shards import WHOLE
from cachewatch.worklist.models import Activity, Finding
from cachewatch.worklist.presenting import activity_sentence
from cachewatch.worklist.services import Followed, follow_verdicts
from cachewatch.worklist.services.following import NOTHING
from ingest.models import Source
from tests.cachewatch.verdicts.histories import days, falling, store_hours
from tests.cachewatch.worklist.histories import history, now_after, steady
from tests.factories import HOUR

HEALTHY, SCATTER = "healthy", "load-correlated-misses"

pytestmark = pytest.mark.django_db


def filled(source: Source, last: int, share=falling) -> Followed:  # type: ignore[no-untyped-def]
    """Days up to `last` are read and classified, past ones too, and the findings follow."""
    store_hours(source, days(0, last), share, read_at_hour=HOUR + 24 * last + 2)
    classify_part(source, WHOLE, now=now_after(last))
    return follow_verdicts(source, now=now_after(last))


def judged(source: Source, day: int, *, falls: bool, fall: float = 0.3) -> Followed:
    """The daily window of a day says so; the decision and the findings follow."""
    now = now_after(day + 1)
    row = Verdict.objects.get(is_newest=True)
    facts = row.window_facts | {
        "end_hour": HOUR + 24 * (day + 1),
        "code": SCATTER if falls else HEALTHY,
        "is_finding": falls,
        "fall": fall,
        "newest_fall": [HOUR + 24 * day, fall],
    }
    Verdict.objects.filter(pk=row.pk).update(is_newest=False)
    row.pk, row.day = None, now.date().replace(day=now.day - 1)
    row.code, row.window_facts, row.daily_facts = facts["code"], facts, facts
    row.window_end_hour = facts["end_hour"]
    row.save(force_insert=True)
    Decision.objects.update(is_due=True)
    decide_due([source], now=now)
    return follow_verdicts(source, now=now)


def test_a_history_that_was_filled_in_opens_a_finding_once(acme: Source) -> None:
    assert filled(acme, 10) == Followed(1, 0, 0, 0, 0)
    assert Decision.objects.get().confirmed


def test_hours_that_say_something_else_neither_clear_nor_open_a_finding(acme: Source) -> None:
    filled(acme, 10)
    Verdict.objects.filter(is_newest=True).update(code=HEALTHY)
    assert follow_verdicts(acme, now=now_after(10)) == NOTHING
    assert Finding.objects.get().cleared_on is None


def test_a_series_that_jumps_around_a_limit_opens_one_finding_and_keeps_it(acme: Source) -> None:
    filled(acme, 10)
    falls = [0.079, 0.081, 0.041, 0.09, 0.05, 0.078]
    for day, fall in enumerate(falls, 10):
        assert judged(acme, day, falls=True, fall=fall) == NOTHING
    assert [action for action, _fields in history(Finding.objects.get())] == ["opened"]


def test_one_daily_window_does_not_clear_a_finding_and_the_second_does(acme: Source) -> None:
    filled(acme, 10)
    assert judged(acme, 10, falls=False) == NOTHING
    assert judged(acme, 11, falls=False).moved == 1
    found = Finding.objects.get()
    first_that_said_so = now_after(11).date().replace(day=now_after(11).day - 1)
    assert (found.cleared_code, found.cleared_on) == (HEALTHY, first_that_said_so)


def test_a_fall_below_the_opening_limit_opens_no_finding(acme: Source) -> None:
    filled(acme, 10, steady)
    for day in range(10, 15):
        assert judged(acme, day, falls=True, fall=0.07) == NOTHING
    assert judged(acme, 15, falls=True, fall=0.08) == NOTHING
    assert judged(acme, 16, falls=True, fall=0.08).opened == 1


def test_a_finding_that_other_rules_clear_says_that_the_traffic_did_not_change(
    acme: Source,
) -> None:
    filled(acme, 10)
    newest = Verdict.objects.get(is_newest=True)
    facts = newest.daily_facts | {"rules": "full-9", "code": HEALTHY, "is_finding": False}
    Verdict.objects.filter(pk=newest.pk).update(daily_facts=facts)
    Decision.objects.update(is_due=True)
    decide_due([acme], now=now_after(10))
    assert follow_verdicts(acme, now=now_after(10)).moved == 1
    cleared = Activity.objects.get(action="verdict-cleared")
    assert cleared.fields["cause"] == [None, "rules"]
    assert activity_sentence(cleared) == (
        "The verdict cleared: no finding; the rules changed, not the traffic; provisional, confirmed "
        "on 12 Nov 2026 at the earliest"
    )
