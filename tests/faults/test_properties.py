"""Hours in any time zone, addresses of any name, filters and markers in any order: against naive ones."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.db.models import QuerySet
from django.test import RequestFactory
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cachewatch.api.errors import ApiError
from cachewatch.api.times import hour_of, hour_start, parse_hour
from cachewatch.rollouts.errors import MarkerConflict
from cachewatch.rollouts.models import Marker, MarkerChange, Rollout
from cachewatch.rollouts.queries import MarkerFilter, list_markers
from cachewatch.rollouts.services import NewMarker, record_marker
from cachewatch.rollouts.targets import project_target, series_target, source_target
from cachewatch.verdicts.addresses import id_of, segment
from ingest.models import Series, Source
from tests.factories import HOUR, at, make_source

ZONES = sorted(available_timezones())
moments = st.datetimes(datetime(1970, 1, 2), datetime(2099, 12, 30))  # noqa: DTZ001 -- a zone is added
_names = count()
in_database = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@given(moment=moments, zone=st.sampled_from(ZONES), fold=st.integers(0, 1))
def test_a_moment_in_any_time_zone_is_the_utc_hour_that_holds_it(
    moment: datetime, zone: str, fold: int
) -> None:
    """Also in the hour that a clock shows twice, and in the one that it leaves out."""
    local = moment.replace(tzinfo=ZoneInfo(zone), fold=fold)
    hour = int(local.timestamp()) // 3600
    # Offsets of some zones had seconds once; RFC 3339 writes none.
    if local.utcoffset() % timedelta(minutes=1) == timedelta(0):  # type: ignore[operator]
        assert parse_hour("from", local.isoformat()) == hour
        assert parse_hour("from", local.isoformat().replace("+", " ")) == hour
    assert parse_hour("from", str(int(local.timestamp()))) == hour
    assert hour_of(local) == hour
    assert hour_start(hour) <= local.astimezone(UTC) < hour_start(hour + 1)
    assert parse_hour("from", hour_start(hour).strftime("%Y-%m-%dT%H")) == hour


@given(text=st.text(max_size=40) | st.from_regex(r"\A[0-9TZ:+\-. ]{0,30}\Z"))
def test_any_other_text_is_refused_in_words_that_name_the_parameter(text: str) -> None:
    hour, refused = None, None
    try:
        hour = parse_hour("from", text)
    except ApiError as error:
        refused = error
    assert hour is None or 0 <= hour < hour_of(datetime(2100, 1, 1, tzinfo=UTC))
    if refused is not None:
        assert (refused.status, [field.name for field in refused.fields]) == (422, ["from"])


@given(name=st.none() | st.text(max_size=60))
def test_any_id_comes_back_from_its_address_as_a_server_decodes_it(name: str | None) -> None:
    part = segment(name if name is None else name.replace("\x00", ""))
    assert part.isascii()
    assert not set(part) & set("/?#&\\ ")
    decoded = RequestFactory().get(f"/series/acme/{part}").path.removeprefix("/series/acme/")
    assert id_of(decoded) == (name if name is None else name.replace("\x00", ""))


project_ids = st.sampled_from(["proj_a", "proj_b", None])
kinds = st.sampled_from(["key-shipped", "deploy", "incident"])
spans = st.tuples(st.integers(-200, 200), st.none() | st.integers(1, 100))


@st.composite
def posts(draw: st.DrawFn) -> dict[str, Any]:
    """A marker as some tool posts it; few values, so that many are the same."""
    start, length = draw(spans.map(lambda span: (span[0] % 5, span[1] and span[1] % 3)))
    return {
        "scope": draw(st.sampled_from(["source", "project", "series"])),
        "project": draw(project_ids),
        "kind": draw(kinds),
        "starts_at": at(HOUR + start),
        "ends_at": at(HOUR + start + length) if length else None,
        "external_id": draw(st.sampled_from(["", "", "ci-1", "ci-2"])),
    }


def made_source() -> Source:
    source = make_source(f"properties-{next(_names)}")
    for project in ("proj_a", "proj_b", None):
        Series.objects.create(source=source, project_id=project, model="gpt-5.4")
    return source


def posted(source: Source, sent: dict[str, Any]) -> NewMarker:
    targets = {
        "source": lambda: source_target(source),
        "project": lambda: project_target(source, sent["project"]),
        "series": lambda: series_target(source, sent["project"], "gpt-5.4"),
    }
    rest = {name: sent[name] for name in ("kind", "starts_at", "ends_at", "external_id")}
    return NewMarker(target=targets[sent["scope"]](), **rest)


def says(sent: dict[str, Any]) -> tuple[Any, ...]:
    project = None if sent["scope"] == "source" else (sent["project"],)
    return (sent["scope"], project, sent["kind"], sent["starts_at"])


@in_database
@given(sent=st.lists(posts(), max_size=12))
def test_markers_posted_in_any_order_any_number_of_times_are_stored_once_by_their_key(
    db: None, sent: list[dict[str, Any]]
) -> None:
    source = made_source()
    known: dict[object, tuple[Any, ...]] = {}
    for one in sent:
        key, content = one["external_id"] or says(one), (says(one), one["ends_at"])
        try:
            made = record_marker(posted(source, one), by=None, now=at(HOUR + 10))
        except MarkerConflict:
            assert known[key] != content
        else:
            assert made.created == (key not in known)
            # A post without an end says nothing of the end that is there.
            same_but_for_the_end = known.get(key, content)[0] == content[0] and not one["ends_at"]
            assert known.setdefault(key, content) == content or same_but_for_the_end
    stored = Marker.objects.filter(source=source)
    assert stored.count() == len(known)
    assert MarkerChange.objects.filter(marker__source=source).count() == len(known)
    repairs = [content for content, _ in known.values() if content[2] == "key-shipped"]
    assert Rollout.objects.filter(marker__source=source).count() == len(repairs)


@in_database
@given(
    sent=st.lists(posts(), max_size=8),
    span=st.tuples(st.none() | st.integers(-2, 8), st.none() | st.integers(-2, 8)),
    project=st.none() | st.tuples(project_ids),
    wanted_kinds=st.lists(kinds, max_size=2),
    by_series=st.booleans(),
)
def test_a_list_of_markers_holds_what_a_naive_filter_keeps(
    db: None,
    sent: list[dict[str, Any]],
    span: tuple[int | None, int | None],
    project: tuple[str | None] | None,
    wanted_kinds: list[str],
    by_series: bool,
) -> None:
    source, other = made_source(), made_source()
    for number, one in enumerate(sent):
        for place in (source, other):
            record_marker(posted(place, one | {"external_id": str(number)}), by=None, now=at(HOUR))
    start, end = (None if hour is None else at(HOUR + hour) for hour in span)
    series = None
    if by_series and project is not None:
        series = Series.objects.get(source=source, project_id=project[0])
    found: QuerySet[Marker] = list_markers(
        MarkerFilter(
            [source.pk],
            series=series,
            project=None if series else project,
            start=start,
            end=end,
            kinds=wanted_kinds,
        )
    )
    naive = [
        str(number)
        for number, one in enumerate(sent)
        if (project is None or one["scope"] == "source" or one["project"] == project[0])
        and (end is None or one["starts_at"] < end)
        and (
            start is None
            or (one["ends_at"] > start if one["ends_at"] else one["starts_at"] >= start)
        )
        and (not wanted_kinds or one["kind"] in wanted_kinds)
    ]
    assert sorted(found.values_list("external_id", flat=True)) == sorted(naive)
