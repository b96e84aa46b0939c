"""Markers of one series in its history: set, changed, taken away, with or without a finding."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from importlib import import_module

import pytest
from django.db import IntegrityError, connection, transaction

from cachewatch.rollouts.models import Marker
from cachewatch.rollouts.services import NewMarker, change_marker, delete_marker, record_marker
from cachewatch.rollouts.targets import series_target, source_target
from cachewatch.worklist.models import Activity, Finding
from cachewatch.worklist.presenting import activity_sentence
from cachewatch.worklist.queries import activity_of
from cachewatch.worklist.services import follow_verdicts
from cachewatch.worklist.services.marking import note_marker_changes
from ingest.models import Source
from tests.cachewatch.worklist.histories import live, now_after, opened, series_of, steady
from tests.factories import HOUR, at

NOW = now_after(8)


def marked(source: Source, kind: str = "deploy", note: str = "") -> Marker:
    new = NewMarker(series_target(source, "proj_a", "gpt-5.4"), kind, at(HOUR + 24), note=note)
    return record_marker(new, by=None, now=NOW).marker


def said(source: Source) -> list[str]:
    """What the activity of proj_a says, the latest first."""
    return [activity_sentence(row) for row in activity_of(series_of(source))]


def test_a_marker_on_a_series_without_a_finding_is_in_its_activity(acme: Source) -> None:
    live(acme, 0, 7, steady)
    assert not Finding.objects.exists()
    marked(acme, note="release 41")
    follow_verdicts(acme, now=NOW)
    (row,) = activity_of(series_of(acme))
    assert activity_sentence(row) == "Marked: deploy, 3 Nov 2026 00:00 UTC"
    assert (row.text, row.at, row.finding) == ("release 41", NOW, None)


def test_a_marker_on_a_series_with_a_finding_is_there_too(acme: Source) -> None:
    opened(acme)
    marked(acme, "key-shipped")
    follow_verdicts(acme, now=NOW)
    assert said(acme)[0] == "Marked: key shipped, 3 Nov 2026 00:00 UTC"


def test_every_change_of_a_marker_is_noted_once_with_its_own_time(acme: Source) -> None:
    live(acme, 0, 7, steady)
    marker = marked(acme)
    later = {"starts_at": at(HOUR + 48)}
    change_marker(marker, later, by=None, now=NOW + timedelta(minutes=1))
    delete_marker(marker, by=None, now=NOW + timedelta(minutes=2))
    assert [note_marker_changes(acme) for _ in range(2)] == [3, 0]
    assert said(acme) == [
        "Took the marker away: deploy, 4 Nov 2026 00:00 UTC",
        "Changed the marker: deploy, 4 Nov 2026 00:00 UTC",
        "Marked: deploy, 3 Nov 2026 00:00 UTC",
    ]


def test_a_change_of_a_marker_cannot_be_noted_twice(acme: Source) -> None:
    live(acme, 0, 7, steady)
    marked(acme)
    note_marker_changes(acme)
    (noted,) = activity_of(series_of(acme))
    with pytest.raises(IntegrityError), transaction.atomic():
        Activity.objects.create(
            series=noted.series, action="changed", at=NOW, marker_change=noted.marker_change
        )


@pytest.mark.django_db(transaction=True)
def test_two_that_note_at_once_make_one_entry_of_each_change(acme: Source) -> None:
    live(acme, 0, 7, steady)
    for kind in ("deploy", "incident", "other"):
        marked(acme, kind)

    def note(_place: int) -> int:
        try:
            return note_marker_changes(acme)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(note, range(4))) == 3
    assert len(said(acme)) == 3


def test_entries_of_before_the_key_are_known_by_it(acme: Source) -> None:
    live(acme, 0, 7, steady)
    marked(acme)
    note_marker_changes(acme)
    (noted,) = activity_of(series_of(acme))
    by_fields = noted.fields | {"marker_change": [None, noted.marker_change_id]}
    Activity.objects.update(fields=by_fields, marker_change=None)
    fill = import_module("cachewatch.migrations.0010_activity_of_markers")._FILL
    with connection.cursor() as cursor:
        cursor.execute(fill)
    assert note_marker_changes(acme) == 0
    assert Activity.objects.get().marker_change_id == noted.marker_change_id


def test_a_marker_of_the_whole_source_fills_no_activity(acme: Source) -> None:
    live(acme, 0, 7, steady)
    record_marker(NewMarker(source_target(acme), "deploy", at(HOUR)), by=None, now=NOW)
    assert note_marker_changes(acme) == 0
    assert not Activity.objects.exists()
