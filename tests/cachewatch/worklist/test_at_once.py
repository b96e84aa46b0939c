"""Two processes at the same findings, and two people at the same step."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connections

from cachewatch.accounts.models import Role
from cachewatch.verdicts.services import classify_stale
from cachewatch.worklist.errors import SaveConflict
from cachewatch.worklist.models import Activity, Finding, StepMark
from cachewatch.worklist.services import follow_verdicts, set_step
from ingest.models import Series
from tests.cachewatch.people import make_member
from tests.cachewatch.verdicts.histories import days, falling, flat_low, store_hours
from tests.cachewatch.worklist.histories import now_after
from tests.factories import HOUR, make_source

NOW = now_after(7)


def at_once(*work: Callable[[], object]) -> list[object]:
    """Run each in a thread with a connection of its own; their results or conflicts, in order."""
    ready, results = threading.Barrier(len(work)), [None] * len(work)

    def run(place: int, one: Callable[[], object]) -> None:
        ready.wait()
        try:
            results[place] = one()  # type: ignore[call-overload]
        except SaveConflict as error:
            results[place] = error  # type: ignore[call-overload]
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(work)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return list(results)


@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_open_each_finding_once() -> None:
    source = make_source()
    store_hours(source, days(0, 7), falling, read_at_hour=HOUR + 170, proj_b=flat_low)
    classify_stale([source], now=NOW)
    at_once(*[lambda: follow_verdicts(source, now=NOW)] * 4)
    assert follow_verdicts(source, now=NOW).opened == 0
    assert Finding.objects.count() == 2
    assert Activity.objects.filter(action="opened").count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_people_at_one_step_leave_one_mark_and_one_learns_of_the_other() -> None:
    source = make_source()
    store_hours(source, days(0, 7), falling, read_at_hour=HOUR + 170)
    classify_stale([source], now=NOW)
    follow_verdicts(source, now=NOW)
    series = Series.objects.get()
    bob, eve = (make_member(f"{name}@example.org", Role.MEMBER) for name in ("bob", "eve"))
    found = at_once(
        lambda: set_step(series, "fan-out-race", "done", version=0, by=bob, now=NOW),
        lambda: set_step(series, "fan-out-race", "skipped", "r", version=0, by=eve, now=NOW),
    )
    assert sorted(type(one).__name__ for one in found) == ["SaveConflict", "StepMark"]
    conflict = next(one for one in found if isinstance(one, SaveConflict))
    mark = StepMark.objects.get()
    assert conflict.message.startswith(f"{mark.by} ")
