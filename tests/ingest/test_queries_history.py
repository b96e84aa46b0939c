"""Lists of runs, revisions, rejects and names, and the figures of a source."""

from __future__ import annotations

from datetime import datetime, timedelta

from ingest import queries
from ingest.models import ApiKeyName, IngestRun, Project, Source
from ingest.normalise import HourlyUsage, RejectedValue
from ingest.store import store_usage
from tests.factories import GROUPING, HOUR, at, hourly_usage, make_run, make_source, usage_row

NOW = at(HOUR + 60)
BAD = RejectedValue(HOUR, "project_id=proj_a", "input_tokens", "page 1, row 1", "no number", '"x"')


def test_runs_come_newest_first_and_problems_alone_on_demand(source: Source) -> None:
    other = make_source("other")
    runs = [
        make_run(source, started_at=at(HOUR + nth), **fields)
        for nth, fields in enumerate(
            [
                {"status": IngestRun.Status.OK},
                {"status": IngestRun.Status.FAILED},
                {"status": IngestRun.Status.OK, "notices": ["no service_tier"]},
                {"status": IngestRun.Status.INTERRUPTED},
                {"status": IngestRun.Status.OK, "rows_rejected": 1},
            ]
        )
    ]
    make_run(other)
    assert list(queries.list_runs([source.pk])) == runs[::-1]
    assert list(queries.list_runs([source.pk], problems=True)) == runs[:0:-1]


def store_recorded(source: Source, usage: HourlyUsage, *, now: datetime = NOW) -> None:
    run = make_run(source, status=IngestRun.Status.OK, started_at=now)
    store_usage(source, usage, run=run, grouping=GROUPING, now=now)


def test_the_figures_of_a_source_add_up(source: Source) -> None:
    rows = [usage_row(), usage_row(api_key_id="key_2"), usage_row(HOUR + 1)]
    for usage in (hourly_usage(rows, rejects=[BAD]), hourly_usage(rows[1:], rejects=[BAD])):
        store_recorded(source, usage)
    make_run(source, status=IngestRun.Status.FAILED)
    make_run(source)
    assert queries.source_totals_of([source], NOW)[source.pk] == queries.SourceTotals(
        buckets_stored=2,
        hours_stored=2,
        series=1,
        first_hour=HOUR,
        runs_ok=2,
        runs_finished=3,
        revised_rows=1,
        rejected_rows=1,
        recent_rows=2,
    )
    (later,) = queries.source_totals_of([source], NOW + timedelta(days=8)).values()
    recent = later.revised_rows, later.rejected_rows, later.recent_rows
    assert (later.buckets_stored, recent) == (2, (0, 0, 0))


def test_hours_that_are_read_again_and_again_count_once(source: Source) -> None:
    # A rejected value is one of the usage of its hour, however often the hour is read.
    rows = [usage_row(HOUR + hour) for hour in range(4)]
    for nth in range(48):
        store_recorded(source, hourly_usage(rows, rejects=[BAD]), now=at(HOUR + 4 + nth))
    (totals,) = queries.source_totals_of([source], NOW).values()
    assert (totals.rejected_rows, totals.recent_rows, totals.runs_ok) == (1, 4, 48)


def test_only_hours_of_the_last_seven_days_are_recent(source: Source) -> None:
    hours = [HOUR - 1, HOUR, HOUR + 167, HOUR + 168, HOUR + 169]
    store_recorded(source, hourly_usage([usage_row(hour) for hour in hours]))
    (totals,) = queries.source_totals_of([source], at(HOUR + 168, 30)).values()
    assert (totals.buckets_stored, totals.recent_rows) == (5, 3)


def test_runs_beyond_the_newest_168_are_not_counted(source: Source) -> None:
    for nth in range(170):
        status = IngestRun.Status.FAILED if nth < 3 else IngestRun.Status.OK
        make_run(source, started_at=at(HOUR + nth), status=status)
    (totals,) = queries.source_totals_of([source], NOW).values()
    assert (totals.runs_ok, totals.runs_finished) == (167, 168)


def test_the_figures_of_many_sources_take_one_query_and_stay_apart(
    source: Source, django_assert_num_queries
) -> None:
    others = [make_source(f"other-{nth}") for nth in range(3)]
    store_recorded(source, hourly_usage([usage_row(), usage_row(HOUR + 1)], rejects=[BAD]))
    store_recorded(others[0], hourly_usage([usage_row()]))
    with django_assert_num_queries(1):
        found = queries.source_totals_of([source, *others[:2]], NOW)
    assert {pk: totals.recent_rows for pk, totals in found.items()} == {
        source.pk: 2,
        others[0].pk: 1,
        others[1].pk: 0,
    }
    assert found[others[1].pk] == (0, 0, 0, None, 0, 0, 0, 0, 0)
    assert queries.source_totals_of([], NOW) == {}
    gone = Source(pk=10_000)
    assert queries.source_totals_of([gone], NOW) == {10_000: found[others[1].pk]}


def test_revisions_and_rejects_are_listed_with_what_they_belong_to(
    source: Source, django_assert_num_queries
) -> None:
    store_usage(
        source, hourly_usage([usage_row()], rejects=[BAD]), run=None, grouping=GROUPING, now=NOW
    )
    for requests in (1, 2, 3):
        usage = hourly_usage([usage_row(requests=requests)], rejects=[BAD])
        store_usage(source, usage, run=None, grouping=GROUPING, now=NOW)
    with django_assert_num_queries(2):
        revisions = [
            (one.series.source.slug, one.nth) for one in queries.list_revisions([source.pk])
        ]
        rejects = [(one.source.slug, one.place) for one in queries.list_rejects([source.pk])]
    assert revisions == [("acme", 3), ("acme", 2), ("acme", 1)]
    assert rejects == [("acme", "page 1, row 1")]
    assert not queries.list_revisions([source.pk + 1]).exists()


def test_projects_are_listed_by_name_with_their_series(
    source: Source, django_assert_num_queries
) -> None:
    other = make_source("other")
    for one, project_id, name in (
        (source, "proj_a", "Zebra"),
        (source, "proj_b", None),
        (source, "proj_c", "apes"),
        (other, "proj_a", "Zoo"),
    ):
        Project.objects.create(source=one, project_id=project_id, name=name)
    rows = [usage_row(), usage_row(model="gpt-5.5"), usage_row(project_id="proj_b")]
    store_usage(source, hourly_usage(rows), run=None, grouping=GROUPING, now=NOW)
    with django_assert_num_queries(1):
        found = [(one.project_id, one.series_count) for one in queries.list_projects([source.pk])]
    assert sorted(found) == [("proj_a", 2), ("proj_b", 1), ("proj_c", 0)]
    assert queries.project_names([source.pk]) == {
        (source.pk, "proj_a"): "Zebra",
        (source.pk, "proj_c"): "apes",
    }


def test_api_keys_have_names_where_the_provider_gave_one(source: Source) -> None:
    for key_id, name in (("key_1", "batch jobs"), ("key_2", None)):
        ApiKeyName.objects.create(source=source, api_key_id=key_id, project_id="proj_a", name=name)
    assert queries.api_key_names(source) == {"key_1": "batch jobs"}
