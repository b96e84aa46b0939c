"""What is due is found in a number of queries that does not grow with markers or readouts."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cachewatch.rollouts import due
from cachewatch.rollouts.models import Readout
from cachewatch.rollouts.services import decide, measure_due
from cachewatch.rollouts.services.readouts import open_readouts
from cachewatch.rollouts.targets import project_target, series_target, source_target
from ingest.models import Source
from tests.cachewatch.rollouts.histories import (
    CONTROLS,
    SHIPPED_DAY,
    SHIPPED_HOUR,
    repaired,
    row,
    steady,
    store_repair,
    store_rows,
)
from tests.cachewatch.rollouts.test_readouts import MODEL, after_days, restate, ship
from tests.cachewatch.verdicts.histories import days
from tests.factories import at


def queries_of(source: Source, now: datetime) -> int:
    with CaptureQueriesContext(
        connection,
    ) as seen:
        assert measure_due(source, now=now) == 0
    return len(seen)


def test_where_nothing_is_due_many_rollouts_cost_the_queries_of_one(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 3)
    now = after_days(3)
    ship(acme, now)
    ship(acme, now, target=project_target(acme, "proj_a"), starts_at=at(SHIPPED_HOUR - 50))
    measure_due(acme, now=now)
    few = queries_of(acme, now)
    for place, name in enumerate(CONTROLS):
        ship(acme, now, target=series_target(acme, name, MODEL), starts_at=at(SHIPPED_HOUR - place))
        ship(acme, now, target=project_target(acme, name), starts_at=at(SHIPPED_HOUR - 9 - place))
    ship(acme, now, target=source_target(acme), starts_at=at(SHIPPED_HOUR - 20))
    assert measure_due(acme, now=now) == Readout.objects.count()
    assert queries_of(acme, now) == few


def test_a_rollout_of_a_source_is_not_opened_again_where_every_series_has_its_readout(
    acme: Source,
) -> None:
    store_repair(acme, SHIPPED_DAY + 1)
    now = after_days(1)
    marker = ship(acme, now, target=source_target(acme))
    assert due.rollouts_to_open(acme, now) == []
    Readout.objects.first().delete()  # type: ignore[union-attr]
    assert due.rollouts_to_open(acme, now) == [marker.rollout]
    assert open_readouts(marker.rollout, now=now) == 1


def test_new_rules_measure_open_readouts_again_and_leave_decided_ones(
    acme: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_repair(acme, SHIPPED_DAY + 5)
    now = after_days(5)
    ship(acme, now)
    ship(acme, now, target=series_target(acme, CONTROLS[0], MODEL))
    measure_due(acme, now=now)
    decide(Readout.objects.get(series__project_id="proj_a"), "works", "r", by=None, now=now)
    monkeypatch.setattr(due, "MEASURE_VERSION", due.MEASURE_VERSION + 1)
    assert measure_due(acme, now=now) == 1
    assert Readout.objects.get(series__project_id="proj_a").late_document is None


def test_what_was_decided_under_the_first_rules_stands_until_an_hour_is_restated(
    acme: Source,
) -> None:
    store_repair(acme, SHIPPED_DAY + 5)
    now = after_days(6.5)
    ship(acme, now)
    measure_due(acme, now=now)
    decide(Readout.objects.get(), "works", "r", by=None, now=now)
    Readout.objects.update(measured_key="0" * 64, state="worse")
    assert measure_due(acme, now=now) == 0
    assert Readout.objects.get().late_document is None
    restate(acme, lambda _load: 0.65)
    assert measure_due(acme, now=now) == 1
    assert Readout.objects.get().late_document is not None


def test_a_restated_hour_makes_due_only_what_it_lies_in(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 5)
    now = after_days(6.5)
    ship(acme, now)
    ship(acme, now, target=series_target(acme, CONTROLS[0], MODEL))
    measure_due(acme, now=now)
    restate(acme, lambda _load: 0.65)
    assert measure_due(acme, now=now + timedelta(minutes=1)) == 1


def test_a_restated_hour_of_a_control_measures_once_again_and_is_told_of_a_decided_one(
    acme: Source,
) -> None:
    store_repair(acme, SHIPPED_DAY + 5)
    now = after_days(5)
    ship(acme, now)
    measure_due(acme, now=now)
    hours = days(SHIPPED_DAY, SHIPPED_DAY + 5)
    rows = [row(hour, "proj_a", repaired) for hour in hours]
    rows += [row(hour, name, lambda _load: 0.70) for hour in hours for name in CONTROLS]
    store_rows(acme, rows, hours, hours[-1] + 30)
    later = at(hours[-1] + 30, 5)
    assert [measure_due(acme, now=later) for _ in range(2)] == [1, 0]
    first = Readout.objects.get()
    assert first.state != "improved"
    decide(first, "inconclusive", "others moved too", by=None, now=later)
    store_rows(
        acme,
        [row(hour, "proj_a", repaired) for hour in hours]
        + [row(hour, name, steady) for hour in hours for name in CONTROLS],
        hours,
        hours[-1] + 60,
    )
    assert [measure_due(acme, now=at(hours[-1] + 60, 5)) for _ in range(2)] == [1, 0]
    assert Readout.objects.get().late_state == "improved"
