"""What a restated or unreadable hour leaves behind."""

from __future__ import annotations

import pytest

from ingest.models import COUNTS, BucketRevision, Reject, Series, Source
from ingest.normalise import HourlyUsage, RejectedValue
from ingest.store import StoreCounts, store_usage
from tests.factories import GROUPING, HOUR, at, hourly_usage, make_run, usage_row


def store(
    source: Source,
    usage: HourlyUsage,
    *,
    now_hour: int = HOUR + 24,
    grouping: tuple[str, ...] = GROUPING,
) -> StoreCounts:
    return store_usage(source, usage, run=None, grouping=grouping, now=at(now_hour, 2))


def test_a_change_of_a_settled_hour_leaves_a_revision_with_both_totals(source: Source) -> None:
    quiet = usage_row(api_key_id="key_2", requests=1, input_tokens=0, cached_tokens=None)
    store(source, hourly_usage([usage_row(), quiet]))
    run = make_run(source)
    late = hourly_usage([usage_row(requests=12, input_tokens=1_200), quiet])
    store_usage(source, late, run=run, grouping=GROUPING, now=at(HOUR + 30))
    revision = BucketRevision.objects.get()
    assert (revision.series, revision.hour, revision.nth) == (Series.objects.get(), HOUR, 1)
    assert (revision.rows, revision.run, revision.seen_at) == (1, run, at(HOUR + 30))
    assert revision.before == {
        "requests": 11,
        "input_tokens": 1_000,
        "cached_tokens": 400,
        "cache_write_tokens": None,
        "cache_write_30m_tokens": None,
        "cache_write_12h_tokens": None,
        "uncached_tokens": 1_200,
        "output_tokens": 100,
    }
    assert revision.after == revision.before | {"requests": 13, "input_tokens": 1_200}


def test_a_removal_and_a_late_row_of_a_settled_hour_are_revisions_in_order(source: Source) -> None:
    store(source, hourly_usage([usage_row()]))
    store(source, hourly_usage(covered=[HOUR]))
    store(source, hourly_usage([usage_row()]))
    kept = BucketRevision.objects.order_by("nth").values_list("nth", "before", "after")
    totals = dict(zip(COUNTS, usage_row()[6:-1], strict=True))
    assert list(kept) == [(1, totals, None), (2, None, totals)]


@pytest.mark.parametrize(("first_read_minutes", "revisions"), [(60, 0), (61, 1)])
def test_only_an_hour_that_was_settled_when_last_read_can_be_revised(
    source: Source, first_read_minutes: int, revisions: int
) -> None:
    first, again = hourly_usage([usage_row()]), hourly_usage([usage_row(requests=11)])
    read_at = at(HOUR + 1, first_read_minutes)
    store_usage(source, first, run=None, grouping=GROUPING, now=read_at)
    store_usage(source, again, run=None, grouping=GROUPING, now=at(HOUR + 30))
    assert BucketRevision.objects.count() == revisions


def test_the_first_read_of_an_old_hour_is_no_revision(source: Source) -> None:
    store(source, hourly_usage([usage_row(HOUR + 1)]))
    store(source, hourly_usage([usage_row(HOUR)]))
    assert not BucketRevision.objects.exists()


def rejected(hour: int | None = HOUR, **fields: str) -> RejectedValue:
    given = {
        "dimensions": "project_id=proj_a, model=gpt-5.4",
        "field": "input_cached_tokens",
        "place": "page 1, row 1",
        "reason": "a whole number was expected",
        "sent": '"many"',
    }
    return RejectedValue(hour=hour, **given | fields)


def test_a_reject_is_kept_once_however_often_it_is_read(source: Source) -> None:
    usage = hourly_usage([usage_row(cached_tokens=None)], rejects=[rejected(), rejected(None)])
    assert store(source, usage, now_hour=HOUR + 20).rejected == 2
    assert store(source, usage, now_hour=HOUR + 21).rejected == 2
    seen = Reject.objects.values_list("hour", "first_seen_at", "last_seen_at")
    assert sorted(seen, key=repr) == [
        (HOUR, at(HOUR + 20, 2), at(HOUR + 21, 2)),
        (None, at(HOUR + 20, 2), at(HOUR + 21, 2)),
    ]


def test_a_reject_goes_when_its_hour_later_reads_fine(source: Source) -> None:
    bad = hourly_usage([usage_row(cached_tokens=None)], rejects=[rejected(), rejected(None)])
    store(source, bad)
    store(source, hourly_usage([usage_row(HOUR + 1)]))
    assert Reject.objects.count() == 2
    store(source, hourly_usage([usage_row()]))
    assert list(Reject.objects.values_list("hour", flat=True)) == [None]


def test_a_reject_with_very_long_words_is_cut_and_not_lost(source: Source) -> None:
    long = rejected(dimensions="d" * 5_000, place="p\x00" * 900, sent="s\x00" * 9)
    assert store(source, hourly_usage([usage_row()], rejects=[long, long])).rejected == 2
    kept = Reject.objects.get()
    assert (kept.dimensions, kept.sent) == ("d" * 900, "s" * 9)
