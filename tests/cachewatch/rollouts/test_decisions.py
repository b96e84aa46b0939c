"""What a decision may freeze: a readout of its marker's present time, as it was seen."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection

from cachewatch.accounts.models import User
from cachewatch.rollouts.errors import (
    DecidedError,
    MarkerConflict,
    NotMeasured,
    ReadoutMoved,
    RolloutError,
)
from cachewatch.rollouts.models import Marker, Readout
from cachewatch.rollouts.presenting import version_of
from cachewatch.rollouts.services import (
    change_marker,
    decide,
    delete_marker,
    measure_due,
    reopen,
)
from ingest.models import Source
from tests.cachewatch.rollouts.histories import SHIPPED_DAY, SHIPPED_HOUR, store_repair
from tests.cachewatch.rollouts.test_readouts import after_days, restate, ship
from tests.factories import at

NOW = after_days(5)
EARLIER = {"starts_at": at(SHIPPED_HOUR - 24)}


@pytest.fixture
def measured(acme: Source) -> Readout:
    """A readout that says improved, and that nobody has decided on."""
    store_repair(acme, SHIPPED_DAY + 5)
    ship(acme, NOW)
    measure_due(acme, now=NOW)
    return Readout.objects.get()


def works(readout: Readout, by: User | None = None, version: str | None = None) -> Readout:
    return decide(readout, "works", "r", version=version, by=by, now=NOW)


def test_a_readout_of_the_time_before_its_marker_moved_is_not_frozen(measured: Readout) -> None:
    change_marker(measured.rollout.marker, EARLIER, by=None, now=NOW)
    with pytest.raises(ReadoutMoved, match="measured again within a minute"):
        works(measured)
    measure_due(measured.series.source, now=NOW)
    frozen = works(Readout.objects.get())
    assert frozen.document is not None
    assert frozen.document["windows"]["after"]["start"] == "2026-11-15T01:00:00Z"


def test_restated_hours_are_measured_before_they_are_frozen(
    acme: Source, measured: Readout
) -> None:
    restate(acme, lambda _load: 0.65)
    with pytest.raises(ReadoutMoved):
        decide(measured, "works", "r", by=None, now=after_days(6.5))
    assert Readout.objects.get().outcome == ""


def test_a_reopened_readout_is_measured_again_before_it_is_decided_again(measured: Readout) -> None:
    reopened = reopen(works(measured), by=None, now=NOW)
    with pytest.raises(ReadoutMoved):
        works(reopened)
    measure_due(measured.series.source, now=NOW)
    assert works(Readout.objects.get()).outcome == "works"


def test_who_saw_an_older_measurement_is_told_what_it_says_now(
    acme: Source, measured: Readout
) -> None:
    seen = version_of(measured)
    restate(acme, lambda _load: 0.65)
    later = after_days(6.5)
    measure_due(acme, now=later)
    again = Readout.objects.get()
    assert version_of(again) != seen
    with pytest.raises(ReadoutMoved, match="It says now: Busy-hour cached share"):
        decide(again, "works", "r", version=seen, by=None, now=later)
    assert decide(again, "works", "r", version=version_of(again), by=None, now=later).outcome


def test_a_readout_that_still_collects_is_not_decided(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 1)
    now = after_days(1)
    ship(acme, now)
    measure_due(acme, now=now)
    readout = Readout.objects.get()
    assert readout.state == "collecting"
    with pytest.raises(NotMeasured, match="still collecting hours"):
        decide(readout, "works", "r", by=None, now=now)


def test_what_two_weeks_did_not_settle_is_for_a_person_to_decide(measured: Readout) -> None:
    document = (measured.document or {}) | {
        "missing_numbers": {"reason": "interval", "have": 0.1, "need": 0.05, "look_again": None}
    }
    Readout.objects.update(state="collecting", document=document)
    assert decide(measured, "inconclusive", "r", by=None, now=NOW).outcome == "inconclusive"


def test_a_second_decision_is_told_who_decided_and_when(measured: Readout, bob: User) -> None:
    works(measured, bob)
    words = f"bob@example.org decided readout {measured.pk} on {NOW:%Y-%m-%d at %H:%M} UTC: works."
    with pytest.raises(DecidedError) as refused:
        decide(measured, "inconclusive", "other", by=None, now=NOW + timedelta(hours=1))
    assert refused.value.message == f"{words} Reopen it first."


def test_a_marker_with_a_decided_readout_is_deleted_only_after_it_is_reopened(
    measured: Readout, bob: User
) -> None:
    marker = measured.rollout.marker
    works(measured, bob)
    with pytest.raises(DecidedError, match="Reopen it first, before deleting the marker"):
        delete_marker(marker, by=None, now=NOW)
    reopen(measured, by=bob, now=NOW)
    delete_marker(marker, by=bob, now=NOW)
    with pytest.raises(MarkerConflict, match="deleted meanwhile"):
        works(measured)


@pytest.mark.django_db(transaction=True)
def test_a_decision_and_a_move_at_once_never_both_happen(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 5)
    ship(acme, NOW)
    measure_due(acme, now=NOW)
    readout, marker = Readout.objects.get(), Marker.objects.get()
    for _turn in range(6):
        marker.refresh_from_db()
        # Elsewhere than it stands, since a move to its own place is no change.
        hour = SHIPPED_HOUR + (marker.starts_at == at(SHIPPED_HOUR))
        start: dict[str, object] = {"starts_at": at(hour)}
        gate = threading.Barrier(2)

        def attempt(name: str, change: dict[str, object], gate: threading.Barrier) -> str:
            gate.wait()
            try:
                if name == "decide":
                    works(readout)
                else:
                    change_marker(marker, change, by=None, now=NOW)
            except RolloutError:
                return "refused"
            finally:
                connection.close()
            return name

        with ThreadPoolExecutor(2) as pool:
            tries = [pool.submit(attempt, name, start, gate) for name in ("decide", "move")]
            assert sorted(one.result() for one in tries) in (
                ["decide", "refused"],
                ["move", "refused"],
            )
        reopen(readout, by=None, now=NOW)
        measure_due(acme, now=NOW)
