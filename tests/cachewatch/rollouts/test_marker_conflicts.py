"""Where a marker meets another one, or itself with other content: refused in words, never silent."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection

from cachewatch.accounts.errors import FieldProblem
from cachewatch.rollouts.errors import MarkerConflict
from cachewatch.rollouts.models import Marker, MarkerChange
from cachewatch.rollouts.services import change_marker, record_marker
from ingest.models import Series, Source
from tests.cachewatch.rollouts.test_markers import NOW, deploy, key
from tests.factories import HOUR, at

END = at(HOUR + 5)


@pytest.fixture
def series(acme: Source) -> Series:
    return Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")


def test_a_marker_is_not_moved_onto_another_of_its_kind_and_scope(acme: Source) -> None:
    record_marker(deploy(acme), by=None, now=NOW)
    other = record_marker(deploy(acme, starts_at=at(HOUR + 1)), by=None, now=NOW).marker
    with pytest.raises(MarkerConflict, match="Another marker of this kind and scope is at that"):
        change_marker(other, {"starts_at": at(HOUR)}, by=None, now=NOW)
    assert Marker.objects.get(pk=other.pk).starts_at == at(HOUR + 1)
    assert MarkerChange.objects.filter(marker=other).count() == 1


def test_a_moved_time_has_whole_seconds_like_a_recorded_one(acme: Source) -> None:
    marker = record_marker(deploy(acme, starts_at=at(HOUR + 1)), by=None, now=NOW).marker
    half = timedelta(milliseconds=500)
    assert change_marker(marker, {"starts_at": at(HOUR + 1) + half}, by=None, now=NOW).version == 1
    changed = change_marker(
        marker, {"starts_at": at(HOUR) + half, "ends_at": END + half}, by=None, now=NOW
    )
    assert (changed.starts_at, changed.ends_at) == (at(HOUR), END)
    assert not record_marker(deploy(acme), by=None, now=NOW).created


def test_an_external_id_that_comes_back_with_another_end_is_refused(acme: Source) -> None:
    new = deploy(acme, external_id="build-812", ends_at=END)
    marker = record_marker(new, by=None, now=NOW).marker
    assert record_marker(new, by=None, now=NOW) == (marker, False, ())
    for said in (
        deploy(acme, external_id="build-812", ends_at=END + timedelta(hours=1)),
        deploy(acme, external_id="build-812", ends_at=END, starts_at=at(HOUR + 1)),
    ):
        with pytest.raises(MarkerConflict, match="kind, scope, time or particulars"):
            record_marker(said, by=None, now=NOW)
    # What is left out says nothing else.
    assert not record_marker(deploy(acme, external_id="build-812"), by=None, now=NOW).created


def test_the_same_marker_with_other_particulars_is_refused(series: Series) -> None:
    new = key(series, particulars={"key": "rag-{tenant}"})
    marker = record_marker(new, by=None, now=NOW).marker
    assert record_marker(new, by=None, now=NOW) == (marker, False, ())
    assert record_marker(key(series), by=None, now=NOW) == (marker, False, ())
    with pytest.raises(MarkerConflict, match=f"Marker {marker.pk} is of this kind"):
        record_marker(key(series, particulars={"key": "rag-v2"}), by=None, now=NOW)
    with pytest.raises(MarkerConflict):
        record_marker(key(series, ends_at=END), by=None, now=NOW)


def test_what_somebody_changed_since_is_not_held_against_a_repeated_post(series: Series) -> None:
    new = key(series, particulars={"key": "rag-{tenant}"}, ends_at=END)
    marker = record_marker(new, by=None, now=NOW).marker
    change_marker(marker, {"ends_at": None}, particulars={"key": "rag-v2"}, by=None, now=NOW)
    assert not record_marker(new, by=None, now=NOW).created


@pytest.mark.parametrize("field", ["shards", "units_at_peak"])
def test_true_is_no_number_of_shards_or_units(series: Series, field: str) -> None:
    with pytest.raises(FieldProblem, match="must be a whole number"):
        record_marker(key(series, particulars={field: True}), by=None, now=NOW)


@pytest.mark.django_db(transaction=True)
def test_the_same_change_sent_often_at_once_is_one_change_and_no_conflict(acme: Source) -> None:
    marker = record_marker(deploy(acme), by=None, now=NOW).marker

    def change(_number: int) -> int:
        try:
            return change_marker(marker, {"note": "n"}, version=1, by=None, now=NOW).version
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(change, range(8))) == [2] * 8
    assert MarkerChange.objects.filter(marker=marker, action="changed").count() == 1
