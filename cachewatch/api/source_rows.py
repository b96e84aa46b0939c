"""From a stored source to the answers of the sources page."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from cachewatch.accounts.access import Access
from cachewatch.api.runs import Run, run_out
from cachewatch.api.shapes import Scopes
from cachewatch.api.source_shapes import (
    Backfill,
    BackfillWeekRow,
    Coverage,
    CoverageHour,
    CoverageState,
    KeyState,
    ProbeResult,
    SourceAbilities,
    SourceRow,
)
from cachewatch.api.times import hour_of, hour_start, hour_start_or_none
from ingest import queries, services
from ingest.models import BackfillWeek, Source
from ingest.openai_usage.probe import ProbeResult as Probed

SHOWN_HOURS = 168
HOURS_PER_DAY = 24
DAYS_PER_WEEK = 7
# Beat starts the hourly read at this minute; see cachewatch.celery.
HOURLY_READ_MINUTE = 2
_AS_STORED = (
    "slug",
    "name",
    "kind",
    "base_url",
    "paused",
    "grouping",
    "refused_grouping",
    "settle_minutes",
    "time_zone",
    "backfill_days",
    "probed_at",
    "created_at",
)
_State = BackfillWeek.State


def source_rows(sources: Sequence[Source], *, caller: Access, now: datetime) -> list[SourceRow]:
    """The sources of one page; as many queries for many as for one."""
    ids = [source.pk for source in sources]
    complete = queries.complete_to(ids, now=now)
    totals = queries.source_totals_of(sources, now)
    unreadable = queries.unreadable_sentences(ids, now)
    runs = _last_runs(ids)
    return [
        SourceRow(
            **_connection_fields(source, now),
            **_history_fields(totals[source.pk]),
            problem=source.problem or unreadable.get(source.pk, ""),
            complete_to=hour_start_or_none(complete.get(source.pk)),
            last_run=runs.get(source.pk),
            can=_abilities(source, caller),
        )
        for source in sources
    ]


def _connection_fields(source: Source, now: datetime) -> dict[str, Any]:
    key = KeyState(
        state=services.key_state(source).value,
        hint=source.key_hint,
        variable=source.key_variable,
    )
    return {name: getattr(source, name) for name in _AS_STORED} | {
        "key": key,
        "scopes": _scopes(source.scopes),
        "lookback": hour_start_or_none(source.lookback_hour),
        "next_run_at": None if source.paused or source.is_pushed else next_run_at(now),
    }


def _history_fields(totals: queries.SourceTotals) -> dict[str, Any]:
    return {
        "buckets_stored": totals.buckets_stored,
        "hours_stored": totals.hours_stored,
        "series_count": totals.series,
        "first_hour": hour_start_or_none(totals.first_hour),
        "runs_ok": totals.runs_ok,
        "runs_total": totals.runs_finished,
        "revised_rows_7d": totals.revised_rows,
        "rejected_rows_7d": totals.rejected_rows,
        "rows_7d": totals.recent_rows,
    }


def _abilities(source: Source, caller: Access) -> SourceAbilities:
    return SourceAbilities(
        ingest=caller.allows("ingest", source.pk), admin=caller.allows("admin", source.pk)
    )


def _last_runs(source_ids: Sequence[int]) -> dict[int, Run]:
    """Source id -> its newest run."""
    newest = queries.list_runs(source_ids).order_by("source_id", "-started_at", "-pk")
    return {run.source_id: run_out(run) for run in newest.distinct("source_id")}


def _scopes(states: dict[str, Any]) -> Scopes:
    """The stored scopes; what was never probed is unknown."""
    return Scopes.model_validate({"usage": "unknown", "management": "unknown"} | states)


def next_run_at(now: datetime) -> datetime:
    """When the next hourly read begins."""
    this_hour = hour_start(hour_of(now)) + timedelta(minutes=HOURLY_READ_MINUTE)
    return this_hour if this_hour > now else this_hour + timedelta(hours=1)


def probe_out(found: Probed) -> ProbeResult:
    """What a probe found."""
    return ProbeResult(
        ok=found.code is None,
        sentence=found.sentence,
        scopes=Scopes(usage=found.usage, management=found.management),
        lookback=hour_start_or_none(found.lookback_hour),
    )


def coverage_out(source: Source, *, now: datetime) -> Coverage:
    """The last 168 hours and the open one, oldest first; none from before the first push."""
    end = hour_of(now) + 1
    start = end - SHOWN_HOURS - 1
    if source.is_pushed:
        told = queries.first_told_hour(source)
        start = end - 1 if told is None else min(max(start, told), end - 1)
    hours = queries.hour_states(source, start, end, now)
    return Coverage(
        hours=[
            CoverageHour(hour=hour_start(one.hour), state=_seen(one), revisions=one.revisions)
            for one in hours
        ]
    )


def _seen(hour: queries.HourState) -> CoverageState:
    revised = hour.revisions > 0 and hour.state == queries.State.COMPLETE
    return "revised" if revised else hour.state.value


def backfill_out(source: Source) -> Backfill:
    """The weeks of a source's backfill, oldest first, with a sentence on where it stands."""
    weeks = list(queries.backfill_weeks(source))
    rows = _week_rows(source, weeks)
    waiting = [week for week in weeks if week.state in (_State.QUEUED, _State.RUNNING)]
    running = bool(waiting) and not source.paused
    return Backfill(
        weeks=rows,
        fetched=sum(row.hours_fetched for row in rows),
        total=sum(row.hours_total for row in rows),
        running=running,
        sentence=_backfill_sentence(weeks, len(waiting), paused=source.paused),
    )


def _week_rows(source: Source, weeks: Sequence[BackfillWeek]) -> list[BackfillWeekRow]:
    if not weeks:
        return []
    lacking = queries.missing_hours(source, weeks[0].start_hour, weeks[-1].end_hour)
    return [
        _week(week, bisect_left(lacking, week.end_hour) - bisect_left(lacking, week.start_hour))
        for week in weeks
    ]


def _week(week: BackfillWeek, missing: int) -> BackfillWeekRow:
    total = week.end_hour - week.start_hour
    refused = week.state in (_State.REFUSED, _State.PARTLY)
    return BackfillWeekRow(
        start=hour_start(week.start_hour),
        end=hour_start(week.end_hour),
        state=week.state,
        note=week.note,
        hours_fetched=total - missing,
        # What the provider no longer keeps cannot be asked for.
        hours_total=total - missing if refused else total,
    )


def _backfill_sentence(weeks: Sequence[BackfillWeek], waiting: int, *, paused: bool) -> str:
    total = len(weeks)
    refused = sum(week.state == _State.REFUSED for week in weeks)
    failed = sum(week.state == _State.FAILED for week in weeks)
    of_all = f"of {_weeks(total)}"
    # The first that holds.
    sentences = (
        (total == 0, "No history was asked for yet"),
        (waiting > 0 and paused, f"{waiting} {of_all} wait; the source is paused"),
        (waiting > 0, f"{total - waiting} {of_all} done, newest first"),
        (failed > 0, f"{failed} {of_all} could not be read; start again to retry"),
        (refused == total, "The provider keeps no hourly usage of the weeks that were asked for"),
        (refused > 0, f"All that the provider keeps is read; {_weeks(refused)} lie before it"),
    )
    return next((said for holds, said in sentences if holds), _read_sentence(weeks))


def _read_sentence(weeks: Sequence[BackfillWeek]) -> str:
    """Weeks are counted as they were asked for; a part of one at either end is told by the days."""
    days = sum(week.end_hour - week.start_hour for week in weeks) // HOURS_PER_DAY
    if days == len(weeks) * DAYS_PER_WEEK:
        return f"{_weeks(len(weeks))} of history read"
    return f"{days} days of history read, in {len(weeks)} parts of at most a week"


def _weeks(count: int) -> str:
    return f"{count} week" if count == 1 else f"{count} weeks"
