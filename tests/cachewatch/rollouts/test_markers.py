"""Markers: recorded once, changed with their history, deleted and kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection

from cachewatch.accounts.errors import FieldProblem
from cachewatch.accounts.models import User
from cachewatch.rollouts.errors import DecidedError, MarkerConflict, NotProposed
from cachewatch.rollouts.models import Marker, MarkerChange, Readout, Rollout
from cachewatch.rollouts.queries import MarkerFilter, list_markers, marker_changes
from cachewatch.rollouts.services import (
    NewMarker,
    change_marker,
    confirm_marker,
    delete_marker,
    dismiss_marker,
    record_marker,
)
from cachewatch.rollouts.targets import (
    project_target,
    series_id_target,
    series_target,
    source_target,
)
from ingest.models import Series, Source
from ingest.services import delete_removed_source, remove_source
from tests.factories import HOUR, at

NOW = at(HOUR + 100)


@pytest.fixture
def series(acme: Source) -> Series:
    return Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")


def deploy(source: Source, **fields: object) -> NewMarker:
    given = {"target": source_target(source), "kind": "deploy", "starts_at": at(HOUR)}
    return NewMarker(**given | fields)  # type: ignore[arg-type]


def key(series: Series, **fields: object) -> NewMarker:
    target = series_target(series.source, series.project_id, series.model)
    given = {"target": target, "kind": "key-shipped", "starts_at": at(HOUR)}
    return NewMarker(**given | fields)  # type: ignore[arg-type]


def test_the_same_marker_posted_twice_is_one(acme: Source, bob: User) -> None:
    first = record_marker(deploy(acme), by=bob, now=NOW)
    again = record_marker(deploy(acme, note="again"), by=bob, now=NOW)
    assert (first.created, again.created) == (True, False)
    assert (first.differs, again.differs) == ((), ("note",))
    assert again.marker.pk == first.marker.pk
    assert Marker.objects.count() == 1
    assert MarkerChange.objects.count() == 1


def test_an_external_id_makes_a_repeated_post_one_marker_whatever_the_clock_says(
    acme: Source,
) -> None:
    new = deploy(acme, starts_at=None, external_id="build-812")
    first = record_marker(new, by=None, now=NOW)
    again = record_marker(new, by=None, now=NOW + timedelta(minutes=3))
    assert again == (first.marker, False, ())
    assert Marker.objects.get().starts_at == NOW


def test_an_external_id_that_says_something_else_the_second_time_is_refused(acme: Source) -> None:
    record_marker(deploy(acme, external_id="build-812"), by=None, now=NOW)
    with pytest.raises(MarkerConflict, match="belongs to marker"):
        record_marker(deploy(acme, external_id="build-812", kind="incident"), by=None, now=NOW)


def test_a_repeated_post_finds_its_marker_also_where_somebody_moved_its_time(
    acme: Source, bob: User
) -> None:
    new = deploy(acme, external_id="build-812")
    marker = record_marker(new, by=None, now=NOW).marker
    change_marker(marker, {"starts_at": at(HOUR + 1)}, by=bob, now=NOW)
    again = record_marker(new, by=None, now=NOW)
    assert (again.created, again.marker.starts_at) == (False, at(HOUR + 1))


def test_two_external_ids_at_one_time_are_two_markers(acme: Source) -> None:
    for name in ("build-1", "build-2"):
        assert record_marker(deploy(acme, external_id=name), by=None, now=NOW).created
    assert Marker.objects.count() == 2


def test_a_deleted_marker_can_be_recorded_anew(acme: Source, bob: User) -> None:
    first = record_marker(deploy(acme, external_id="build-1"), by=bob, now=NOW).marker
    delete_marker(first, by=bob, now=NOW)
    again = record_marker(deploy(acme, external_id="build-1"), by=bob, now=NOW)
    assert again.created
    assert list(list_markers(MarkerFilter([acme.pk]))) == [again.marker]
    assert [change.action for change in marker_changes(first)] == ["created", "deleted"]


@pytest.mark.django_db(transaction=True)
def test_eight_posts_at_once_make_one_marker(acme: Source) -> None:
    def post(_number: int) -> int:
        try:
            return record_marker(deploy(acme), by=None, now=NOW).marker.pk
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(post, range(8)))
    assert len(set(made)) == 1
    assert Marker.objects.count() == 1


def test_a_marker_may_lie_ahead_but_not_more_than_a_year(acme: Source) -> None:
    ahead = record_marker(deploy(acme, starts_at=NOW + timedelta(days=30)), by=None, now=NOW)
    assert ahead.created
    with pytest.raises(FieldProblem, match="more than 366 days ahead") as refused:
        record_marker(deploy(acme, starts_at=NOW + timedelta(days=400)), by=None, now=NOW)
    assert refused.value.field == "at"


def test_a_range_ends_after_it_starts_and_within_92_days(acme: Source) -> None:
    for days, words in ((0, "later than at"), (93, "at most 92 days")):
        with pytest.raises(FieldProblem, match=words):
            record_marker(deploy(acme, ends_at=at(HOUR) + timedelta(days=days)), by=None, now=NOW)


def test_scopes_that_the_source_does_not_know_are_refused(series: Series, globex: Source) -> None:
    acme = series.source
    assert project_target(acme, "proj_a").project_id == "proj_a"
    assert series_id_target(acme, series.pk).series == series
    with pytest.raises(FieldProblem, match="no such project"):
        project_target(acme, "proj_x")
    with pytest.raises(FieldProblem, match="no such project"):
        project_target(acme, None)
    with pytest.raises(FieldProblem, match="no series of this project and model"):
        series_target(acme, "proj_a", None)
    with pytest.raises(FieldProblem, match="no such project") as refused:
        series_target(acme, "proj_x", "gpt-5.4")
    assert refused.value.field == "project_id"
    with pytest.raises(FieldProblem, match="no series"):
        series_id_target(globex, series.pk)


def test_a_repair_has_a_rollout_and_a_readout_that_is_collecting_at_once(series: Series) -> None:
    marker = record_marker(
        key(series, particulars={"key": "rag-answer-{tenant}", "granularity": "tenant-document"}),
        by=None,
        now=NOW,
    ).marker
    assert Rollout.objects.get().particulars == {
        "key": "rag-answer-{tenant}",
        "granularity": "tenant-document",
        "shards": 1,
    }
    readout = Readout.objects.get()
    assert (readout.rollout.marker, readout.series) == (marker, series)
    assert (readout.state, readout.document) == ("collecting", None)


def test_a_deploy_has_no_rollout_and_takes_no_particulars(acme: Source) -> None:
    record_marker(deploy(acme), by=None, now=NOW)
    assert not Rollout.objects.exists()
    with pytest.raises(FieldProblem, match="takes no particulars"):
        record_marker(deploy(acme, particulars={"key": "x"}), by=None, now=NOW)


@pytest.mark.parametrize(
    ("particulars", "field", "words"),
    [
        ({"key": "mira@example.org"}, "key", "an e-mail address"),
        ({"key": "k" * 65}, "key", "at most 64 characters"),
        ({"shards": 0}, "shards", "from 1 to 1,000"),
        ({"granularity": "planet"}, "granularity", "must be one of template"),
        ({"retention": "24h"}, "retention", "takes granularity, key, shards, units_at_peak"),
    ],
)
def test_particulars_that_cannot_be_are_refused_and_nothing_is_stored(
    series: Series, particulars: dict[str, object], field: str, words: str
) -> None:
    with pytest.raises(FieldProblem, match=words) as refused:
        record_marker(key(series, particulars=particulars), by=None, now=NOW)
    assert refused.value.field == f"particulars.{field}"
    assert not Marker.objects.exists()


def test_a_change_keeps_who_and_when_and_both_values(series: Series, bob: User) -> None:
    marker = record_marker(key(series), by=bob, now=NOW).marker
    later = NOW + timedelta(minutes=5)
    changed = change_marker(
        marker,
        {"note": "all pods", "starts_at": at(HOUR + 2)},
        particulars={"granularity": "template"},
        version=1,
        by=bob,
        now=later,
    )
    assert (changed.note, changed.starts_at, changed.version) == ("all pods", at(HOUR + 2), 2)
    last = marker_changes(marker).last()
    assert last is not None
    assert (last.action, last.by, last.at) == ("changed", bob, later)
    assert last.fields == {
        "note": ["", "all pods"],
        "starts_at": ["2026-11-02T00:00:00Z", "2026-11-02T02:00:00Z"],
        "particulars": [{"shards": 1}, {"granularity": "template", "shards": 1}],
    }


def test_what_does_not_differ_is_no_change(series: Series) -> None:
    marker = record_marker(key(series, note="n"), by=None, now=NOW).marker
    assert change_marker(marker, {"note": "n"}, by=None, now=NOW).version == 1
    assert MarkerChange.objects.count() == 1


def test_a_change_of_what_somebody_changed_meanwhile_is_refused(series: Series, bob: User) -> None:
    marker = record_marker(key(series), by=None, now=NOW).marker
    change_marker(marker, {"note": "theirs"}, version=1, by=bob, now=NOW)
    with pytest.raises(MarkerConflict, match=r"bob@example\.org changed this marker meanwhile"):
        change_marker(marker, {"note": "mine"}, version=1, by=None, now=NOW)


def test_the_time_of_a_repair_does_not_move_under_a_decided_readout(series: Series) -> None:
    marker = record_marker(key(series), by=None, now=NOW).marker
    Readout.objects.update(outcome="works", reason="r", decided_at=NOW)
    with pytest.raises(DecidedError, match="Reopen it"):
        change_marker(marker, {"starts_at": at(HOUR + 1)}, by=None, now=NOW)
    assert change_marker(marker, {"note": "n"}, by=None, now=NOW).note == "n"


def test_only_a_proposal_is_confirmed_or_dismissed(acme: Source, bob: User) -> None:
    marker = record_marker(deploy(acme), by=bob, now=NOW).marker
    for settle in (confirm_marker, dismiss_marker):
        with pytest.raises(NotProposed):
            settle(marker, by=bob, now=NOW)


def test_a_list_holds_what_touches_a_series_from_every_scope(series: Series) -> None:
    acme = series.source
    other = Series.objects.create(source=acme, project_id=None, model="gpt-5.4")
    made = [
        record_marker(deploy(acme, target=target), by=None, now=NOW).marker
        for target in (
            source_target(acme),
            project_target(acme, "proj_a"),
            series_id_target(acme, series.pk),
            project_target(acme, None),
        )
    ]
    wanted = MarkerFilter([acme.pk])
    assert set(list_markers(replace(wanted, series=series))) == set(made[:3])
    assert set(list_markers(replace(wanted, series=other))) == {made[0], made[3]}
    assert set(list_markers(replace(wanted, project=("proj_a",)))) == set(made[:3])
    assert not list_markers(MarkerFilter([]))


def test_a_list_of_a_span_holds_the_ranges_that_reach_into_it(acme: Source) -> None:
    point = record_marker(deploy(acme), by=None, now=NOW).marker
    reaching = record_marker(
        deploy(acme, starts_at=at(HOUR - 5), ends_at=at(HOUR + 5), kind="incident"),
        by=None,
        now=NOW,
    ).marker
    wanted = MarkerFilter([acme.pk], start=at(HOUR), end=at(HOUR + 1))
    assert set(list_markers(wanted)) == {point, reaching}
    assert set(list_markers(replace(wanted, start=at(HOUR + 1), end=at(HOUR + 2)))) == {reaching}
    assert not list_markers(replace(wanted, start=at(HOUR + 5), end=at(HOUR + 9)))


def test_a_removed_source_takes_its_markers_along(series: Series, bob: User) -> None:
    acme = series.source
    record_marker(key(series), by=bob, now=NOW)
    record_marker(deploy(acme), by=bob, now=NOW)
    remove_source(acme, now=NOW)
    delete_removed_source(acme)
    assert not Marker.objects.exists()
    assert not Readout.objects.exists()
