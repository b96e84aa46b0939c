"""Readouts: opened with the marker, measured where due, frozen by a decision, restated beside it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from cachewatch.accounts.errors import FieldProblem
from cachewatch.accounts.models import User
from cachewatch.rollouts.errors import DecidedError, NotMeasured
from cachewatch.rollouts.models import Marker, Readout
from cachewatch.rollouts.queries import readout_changes
from cachewatch.rollouts.services import (
    NewMarker,
    decide,
    delete_marker,
    measure_due,
    record_marker,
    reopen,
)
from cachewatch.rollouts.targets import project_target, series_target, source_target
from ingest.models import BucketRevision, Source
from tests.cachewatch.rollouts.histories import (
    CONTROLS,
    SHIPPED_DAY,
    SHIPPED_HOUR,
    row,
    steady,
    store_repair,
    store_rows,
)
from tests.cachewatch.verdicts.histories import days, falling
from tests.factories import HOUR, at

MODEL = "gpt-5.4"
Ship = Callable[..., Marker]


def after_days(count: float) -> datetime:
    """Two hours and ten minutes after so many days since the repair."""
    return at(SHIPPED_HOUR + round(24 * count) + 2, 10)


def ship(source: Source, now: datetime, **fields: Any) -> Marker:
    given: dict[str, Any] = {
        "target": series_target(source, "proj_a", MODEL),
        "kind": "key-shipped",
        "starts_at": at(SHIPPED_HOUR),
    }
    return record_marker(NewMarker(**given | fields), by=None, now=now).marker


def test_a_repair_that_works_is_improved_after_four_days_with_its_numbers(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 5)
    now = after_days(5)
    ship(acme, now)
    assert measure_due(acme, now=now) == 1
    found = Readout.objects.get()
    assert found.state == "improved"
    assert found.document is not None
    assert found.document["state"] == "improved"
    assert found.document["series"] == {"project_id": "proj_a", "model": MODEL}
    assert found.document["control"]["series"] == len(CONTROLS)
    assert found.document["windows"]["after"]["start"] == "2026-11-16T01:00:00Z"
    busy = found.document["measures"]["busy_share"]
    assert busy["before_cached"] / busy["before_input"] == pytest.approx(busy["before"])
    assert busy["after"] == pytest.approx(0.70, abs=0.01)
    assert found.net_change == found.document["net_change"]["value"]
    assert found.document["measures"]["input_cost_per_request"]["change"] < 0
    assert (found.settled_hour, found.measured_at) == (SHIPPED_HOUR + 24 * 5, now)
    assert found.data_version == found.series.data_version


def test_what_nothing_changed_is_not_measured_again(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 3)
    now = after_days(3)
    ship(acme, now)
    assert measure_due(acme, now=now) == 1
    assert measure_due(acme, now=now + timedelta(minutes=1)) == 0


def test_an_ingest_makes_an_open_readout_due_and_its_word_follows(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 1)
    ship(acme, after_days(1))
    measure_due(acme, now=after_days(1))
    assert Readout.objects.get().state == "collecting"
    more = days(SHIPPED_DAY + 1, SHIPPED_DAY + 5)
    rows = [row(hour, "proj_a", lambda _load: 0.70) for hour in more]
    rows += [row(hour, name, steady) for hour in more for name in CONTROLS]
    store_rows(acme, rows, more, more[-1] + 3)
    assert measure_due(acme, now=after_days(5)) == 1
    assert Readout.objects.get().state == "improved"


def test_a_readout_of_a_repair_that_lies_ahead_is_collecting(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY)
    now = after_days(0)
    ship(acme, now, starts_at=now + timedelta(days=3))
    assert measure_due(acme, now=now) == 1
    found = Readout.objects.get()
    assert (found.state, found.problem) == ("collecting", "")
    assert found.document is not None
    assert found.document["missing"] is not None


def test_a_source_that_was_never_read_leaves_its_readout_unmeasured(acme: Source) -> None:
    from ingest.models import Series

    Series.objects.create(source=acme, project_id="proj_a", model=MODEL)
    ship(acme, after_days(0))
    assert measure_due(acme, now=after_days(0)) == 0
    assert Readout.objects.get().document is None


def test_a_second_marker_in_the_windows_contaminates_and_the_document_names_it(
    acme: Source,
) -> None:
    store_repair(acme, SHIPPED_DAY + 5)
    now = after_days(5)
    ship(acme, now)
    measure_due(acme, now=now)
    ship(acme, now, kind="prompt-changed", starts_at=at(SHIPPED_HOUR - 30))
    assert measure_due(acme, now=now) == 1
    found = Readout.objects.get()
    assert found.state == "contaminated"
    assert found.document is not None
    assert "prompt changed (" in found.document["texts"]["heading"]


def test_the_deploy_that_shipped_a_repair_is_no_second_change(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 5)
    now = after_days(5)
    ship(acme, now, starts_at=at(SHIPPED_HOUR - 1, 20))
    ship(acme, now, kind="deploy", starts_at=at(SHIPPED_HOUR - 1, 20))
    measure_due(acme, now=now)
    assert Readout.objects.get().state == "improved"


def test_series_that_a_marker_touches_are_no_controls(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 5)
    now = after_days(5)
    ship(acme, now)
    ship(acme, now, kind="deploy", target=project_target(acme, CONTROLS[0]))
    measure_due(acme, now=now)
    document = Readout.objects.get().document
    assert document is not None
    assert document["control"]["series"] == len(CONTROLS) - 1


def test_a_rollout_of_a_project_has_a_readout_for_each_series_also_for_one_that_comes_later(
    acme: Source,
) -> None:
    store_repair(acme, SHIPPED_DAY + 1)
    now = after_days(1)
    ship(acme, now, target=project_target(acme, "proj_a"))
    assert Readout.objects.count() == 1
    earlier = days(0, 1)
    store_rows(
        acme, [row(h, "proj_a", steady, model="gpt-5.2") for h in earlier], earlier, HOUR + 30
    )
    late = days(SHIPPED_DAY - 1, SHIPPED_DAY)
    store_rows(
        acme, [row(h, "proj_a", steady, model="gpt-5.2") for h in late], late, SHIPPED_HOUR + 2
    )
    measure_due(acme, now=now)
    models = Readout.objects.order_by("series__model").values_list("series__model", flat=True)
    assert list(models) == ["gpt-5.2", MODEL]


def test_a_rollout_of_a_source_has_a_readout_for_each_active_series_and_no_controls(
    acme: Source,
) -> None:
    store_repair(acme, SHIPPED_DAY + 3)
    now = after_days(3)
    ship(acme, now, target=source_target(acme))
    assert measure_due(acme, now=now) == 1 + len(CONTROLS)
    documents = [one.document for one in Readout.objects.all()]
    assert [one and one["control"]["series"] for one in documents] == [0] * len(documents)


def decided(acme: Source, by: User | None = None) -> Readout:
    """The readout of a repair that works, accepted after five days."""
    store_repair(acme, SHIPPED_DAY + 5)
    now = after_days(5)
    ship(acme, now)
    measure_due(acme, now=now)
    return decide(Readout.objects.get(), "works", "busy hours read it", by=by, now=now)


def test_a_decision_freezes_a_readout_with_the_data_version(acme: Source, bob: User) -> None:
    frozen = decided(acme, bob)
    assert (frozen.outcome, frozen.decided_by) == ("works", bob)
    more = days(SHIPPED_DAY + 5, SHIPPED_DAY + 9)
    store_rows(acme, [row(hour, "proj_a", falling) for hour in more], more, more[-1] + 3)
    assert measure_due(acme, now=after_days(9)) == 0
    again = Readout.objects.get()
    assert (again.state, again.document) == (frozen.state, frozen.document)
    assert again.data_version == frozen.data_version
    assert again.series.data_version > (again.data_version or 0)
    (change,) = readout_changes(again)
    assert (change.action, change.state, change.by) == ("decided", "improved", bob)
    assert change.data_version == frozen.data_version


def restate(acme: Source, share: Callable[[int], float]) -> None:
    """The days after the repair are restated, long after they were settled."""
    hours = days(SHIPPED_DAY, SHIPPED_DAY + 5)
    rows = [row(hour, "proj_a", share) for hour in hours]
    rows += [row(hour, name, steady) for hour in hours for name in CONTROLS]
    store_rows(acme, rows, hours, hours[-1] + 30)
    assert BucketRevision.objects.exists()


def test_a_late_revision_that_would_change_a_frozen_readout_says_so_and_changes_nothing(
    acme: Source,
) -> None:
    frozen = decided(acme)
    restate(acme, falling)
    now = after_days(6.5)
    assert measure_due(acme, now=now) == 1
    again = Readout.objects.get()
    assert (again.state, again.document) == ("improved", frozen.document)
    assert again.late_state != "improved"
    assert again.late_at == now
    assert again.late_document is not None
    assert again.late_document["windows"] == (frozen.document or {})["windows"]
    assert measure_due(acme, now=now) == 0


def test_a_reopened_readout_follows_the_data_again(acme: Source, bob: User) -> None:
    frozen = decided(acme, bob)
    restate(acme, falling)
    measure_due(acme, now=after_days(6.5))
    reopened = reopen(frozen, by=bob, now=after_days(6.5))
    assert (reopened.outcome, reopened.late_state, reopened.late_document) == ("", "", None)
    measure_due(acme, now=after_days(6.5))
    assert Readout.objects.get().state != "improved"
    assert [one.action for one in readout_changes(reopened)] == ["decided", "reopened"]


def test_the_same_decision_twice_is_one_and_another_one_is_refused(acme: Source) -> None:
    frozen = decided(acme)
    now = after_days(6)
    assert decide(frozen, "works", "busy hours read it", by=None, now=now).decided_at != now
    with pytest.raises(DecidedError):
        decide(frozen, "inconclusive", "too early", by=None, now=now)
    assert readout_changes(frozen).count() == 1


def test_a_decision_needs_a_reason_and_a_measurement(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY)
    ship(acme, after_days(0))
    readout = Readout.objects.get()
    with pytest.raises(FieldProblem, match="say in a sentence why"):
        decide(readout, "works", " ", by=None, now=after_days(0))
    with pytest.raises(NotMeasured):
        decide(readout, "works", "r", by=None, now=after_days(0))


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_measure_each_readout_once(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 3)
    now = after_days(3)
    ship(acme, now, target=source_target(acme))

    def work(_number: int) -> int:
        try:
            return measure_due(acme, now=now)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        measured = sum(pool.map(work, range(2)))
    assert measured == 1 + len(CONTROLS)
    assert not Readout.objects.filter(document__isnull=True).exists()


def test_a_deleted_marker_has_no_readouts_to_measure(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 1)
    marker = ship(acme, after_days(1))
    delete_marker(marker, by=None, now=after_days(1))
    assert measure_due(acme, now=after_days(1)) == 0
