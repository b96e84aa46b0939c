"""From a stored series to the answers of its page."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from cachewatch.api.series_rows import row_fields
from cachewatch.api.series_shapes import (
    ApiKeyRef,
    Excluded,
    Handoff,
    HourState,
    Repair,
    SeriesAbilities,
    SeriesDetail,
    SeriesHour,
    SeriesHours,
    ThirdName,
    ThresholdRow,
    ThresholdValues,
    VerdictHistory,
    VerdictRun,
)
from cachewatch.api.series_standing import standing_fields
from cachewatch.api.shapes import Window, verdict_code
from cachewatch.api.times import hour_start, hour_start_or_none
from cachewatch.verdicts import detail
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.presenting import present, verdict_word
from cachewatch.verdicts.queries import series_hours
from cachewatch.verdicts.records import WINDOW_HOURS
from cachewatch.verdicts.thresholds import thresholds_in_force
from ingest import queries
from ingest.models import Series, Source


def detail_out(
    series: Series, around: tuple[int | None, int | None], can: SeriesAbilities, *, now: datetime
) -> SeriesDetail:
    """The page of one series; `around` are the ids before and after it, `can` what a caller may."""
    verdict = detail.newest_verdict(series)
    shown = None if verdict is None else present(verdict, series)
    sure = None if verdict is None else detail.load_intervals(series, verdict)
    complete = _complete_hour(series, now)
    names = queries.api_key_names(series.source)
    values, set_by = thresholds_in_force(series)
    return SeriesDetail(
        **row_fields(series, verdict, shown, complete, now),
        **_evidence_fields(series, verdict, shown),
        **standing_fields(shown, names, sure),
        can=can,
        now_hours=WINDOW_HOURS,
        threshold_values=ThresholdValues.model_validate({**values.as_dict(), "set_by": set_by}),
        previous_id=around[0],
        next_id=around[1],
        api_keys=[
            ApiKeyRef(api_key_id=key, name=names.get(key, key))
            for key in detail.api_key_ids(series)
        ],
    )


def _complete_hour(series: Series, now: datetime) -> int | None:
    return queries.complete_to([series.source_id], now=now).get(series.source_id)


def _first_verdict(source: Source) -> str:
    if source.is_pushed:
        return "the first verdict follows once an hour that was pushed has settled"
    return "the first verdict follows within a minute of the first read"


def _evidence_fields(
    series: Series, verdict: Verdict | None, shown: Mapping[str, Any] | None
) -> dict[str, Any]:
    if verdict is None or shown is None:
        return {
            "lede": f"Not classified yet: {_first_verdict(series.source)}.",
            "window": None,
            "excluded": None,
            "excluded_sentence": "",
            "thresholds": [],
            "handoff": None,
            "repairs": [],
            "decided_at": None,
            "rules_version": "",
        }
    window = Window(
        start=hour_start(verdict.window_start_hour), end=hour_start(verdict.window_end_hour)
    )
    return {
        "lede": shown["lede"],
        "window": window,
        "excluded": Excluded(
            **{name: verdict.excluded.get(name, 0) for name in Excluded.model_fields}
        ),
        "excluded_sentence": shown["excluded_sentence"],
        "thresholds": [ThresholdRow(**row) for row in shown["thresholds"]],
        "handoff": Handoff(**shown["handoff"]) if shown["handoff"] else None,
        "repairs": [Repair(**repair) for repair in shown["repairs"]],
        "decided_at": verdict.decided_at,
        "rules_version": verdict.rules_version,
    }


def hours_out(series: Series, start_hour: int, end_hour: int, *, now: datetime) -> SeriesHours:
    """Every hour of [start_hour, end_hour), oldest first."""
    found = series_hours(series, start_hour, end_hour, now=now)
    return SeriesHours(
        items=[
            SeriesHour(
                hour=hour_start(one.hour),
                state=cast("HourState", one.state),
                requests=one.requests,
                input_tokens=one.input_tokens,
                cached_tokens=one.cached_tokens,
                cache_write_tokens=one.cache_write_tokens,
                share=one.share,
                third=cast("ThirdName | None", one.third),
            )
            for one in found
        ],
        start=hour_start(start_hour),
        end=hour_start(end_hour),
        complete_to=hour_start_or_none(_complete_hour(series, now)),
    )


def history_out(series: Series, *, now: datetime) -> VerdictHistory:
    """The verdicts of every stored day, as runs."""
    runs = [
        VerdictRun(
            start=run.start,
            end=run.end,
            code=verdict_code(run.code),
            word=verdict_word(run.code),
            days=(run.end - run.start).days,
            flipped_from=verdict_code(run.flipped_from) if run.flipped_from else None,
            rules_changed=run.rules_changed,
        )
        for run in detail.verdict_runs(series)
    ]
    return VerdictHistory(
        items=runs,
        days_stored=sum(run.days for run in runs),
        complete_to=hour_start_or_none(_complete_hour(series, now)),
    )
