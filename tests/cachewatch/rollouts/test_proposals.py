"""Proposals: what first appears in a project's data, and what no longer does."""

from __future__ import annotations

import pytest

from cachewatch.accounts.models import User
from cachewatch.rollouts.models import Marker, Readout
from cachewatch.rollouts.queries import marker_changes, markers_near
from cachewatch.rollouts.services import (
    confirm_marker,
    delete_marker,
    dismiss_marker,
    propose_new_models,
)
from ingest.models import Source
from tests.cachewatch.rollouts.histories import row, steady, store_rows
from tests.cachewatch.verdicts.histories import days
from tests.factories import HOUR, at

SNAPSHOT = "gpt-5.4-2026-03-05"
NOW = at(HOUR + 24 * 4 + 2, 10)


@pytest.fixture
def new_snapshot(acme: Source) -> Source:
    """Four days of proj_a; a snapshot appears in it on the third."""
    hours = days(0, 4)
    rows = [row(hour, "proj_a", steady) for hour in hours]
    rows += [row(hour, "proj_a", steady, model=SNAPSHOT) for hour in days(2, 4)]
    store_rows(acme, rows, hours, hours[-1] + 3)
    return acme


def test_a_snapshot_that_first_appears_proposes_one_marker(new_snapshot: Source) -> None:
    assert propose_new_models(new_snapshot, now=NOW) == 1
    assert propose_new_models(new_snapshot, now=NOW) == 0
    marker = Marker.objects.get()
    assert (marker.kind, marker.state, marker.scope) == ("model-changed", "proposed", "project")
    assert (marker.project_id, marker.starts_at) == ("proj_a", at(HOUR + 48))
    assert marker.note == f"{SNAPSHOT} is first seen in this project."
    assert [change.action for change in marker_changes(marker)] == ["created"]
    assert not Readout.objects.exists()


def test_a_proposal_counts_for_nothing_until_it_is_confirmed(
    new_snapshot: Source, bob: User
) -> None:
    propose_new_models(new_snapshot, now=NOW)
    span = (new_snapshot.pk, at(HOUR), NOW)
    assert markers_near(*span) == []
    marker = confirm_marker(Marker.objects.get(), by=bob, now=NOW)
    assert markers_near(*span) == [marker]
    assert confirm_marker(marker, by=bob, now=NOW).version == marker.version
    assert [change.by for change in marker_changes(marker)] == [None, bob]


def test_what_was_dismissed_or_deleted_is_not_proposed_again(
    new_snapshot: Source, bob: User
) -> None:
    propose_new_models(new_snapshot, now=NOW)
    marker = dismiss_marker(Marker.objects.get(), by=bob, now=NOW)
    assert propose_new_models(new_snapshot, now=NOW) == 0
    assert Marker.objects.get().state == "dismissed"
    delete_marker(marker, by=bob, now=NOW)
    assert propose_new_models(new_snapshot, now=NOW) == 0
    assert Marker.objects.count() == 1


def test_the_first_models_of_a_source_propose_nothing(acme: Source) -> None:
    hours = days(0, 4)
    rows = [row(hour, "proj_a", steady, model=name) for hour in hours for name in ("a", "b")]
    store_rows(acme, rows, hours, hours[-1] + 3)
    assert propose_new_models(acme, now=NOW) == 0


def test_a_new_project_proposes_nothing(acme: Source) -> None:
    hours = days(0, 4)
    rows = [row(hour, "proj_a", steady) for hour in hours]
    rows += [row(hour, "proj_new", steady, model=SNAPSHOT) for hour in days(2, 4)]
    store_rows(acme, rows, hours, hours[-1] + 3)
    assert propose_new_models(acme, now=NOW) == 0


def test_a_model_whose_day_before_was_not_read_proposes_nothing(acme: Source) -> None:
    for hours, model in ((days(0, 1), "gpt-5.4"), (days(2, 4), SNAPSHOT)):
        store_rows(
            acme, [row(hour, "proj_a", steady, model=model) for hour in hours], hours, hours[-1] + 3
        )
    assert propose_new_models(acme, now=NOW) == 0


def test_a_backfill_that_finds_the_model_earlier_withdraws_its_proposal(
    new_snapshot: Source,
) -> None:
    propose_new_models(new_snapshot, now=NOW)
    earlier = days(-1, 0)
    rows = [row(h, "proj_a", steady, model=name) for h in earlier for name in ("gpt-5.4", SNAPSHOT)]
    store_rows(new_snapshot, rows, earlier, HOUR + 24 * 4 + 2)
    assert propose_new_models(new_snapshot, now=NOW) == 0
    assert not Marker.objects.exists()


def test_nothing_is_proposed_before_anything_was_read(acme: Source) -> None:
    assert propose_new_models(acme, now=NOW) == 0
