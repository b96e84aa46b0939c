"""The traffic of each project and model, from a log of requests or from usage pages."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal, NamedTuple

import numpy as np

from cachewatch.analysis.cache_generation import day_of_hour, generation_of
from cachewatch.analysis.key_advice.advice import KeysSent, Traffic
from cachewatch.analysis.key_advice.load import Load, load_of_hours, load_of_minutes, load_of_times
from cachewatch.analysis.key_advice.thresholds import UNIT_KNOWN
from cachewatch.analysis.key_advice.units import UnitFacts, units_of
from cachewatch.analysis.key_plan import MINUTES_PER_HOUR
from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.requests.groups import groups_of
from cachewatch.analysis.requests.thresholds import KEY_CHURN
from cachewatch.analysis.requests.usable import usable
from cachewatch.analysis.segments import Floats, Ints
from cachewatch.analysis.thresholds import WARM_REPEATS
from cachewatch.diagnose.file_minutes import busiest_day
from cachewatch.diagnose.minute_rows import MinuteRows
from ingest.normalise import UsageRow
from ingest.usage_files import UsageFiles

Basis = Literal["requests", "minutes", "hours"]


class PlannedSeries(NamedTuple):
    """One series: its names, what is known of it, and from what."""

    project: str | None
    model: str | None
    traffic: Traffic
    basis: Basis


def series_of_log(batch: RequestBatch) -> list[PlannedSeries]:
    """Each project and model of a log, the busiest first; batch jobs have a cache of their own."""
    batch = batch.only(~usable(batch).batch_tier)
    if not len(batch):
        return []
    groups = groups_of(batch.project, batch.model)
    found = [
        _of_log(batch.only(np.sort(rows))) for rows in np.split(groups.order, groups.starts[1:])
    ]
    return sorted(found, key=lambda one: -(one.traffic.requests or 0))


def _of_log(batch: RequestBatch) -> PlannedSeries:
    model = _named(batch.model, batch.model_names)
    newest = np.nanmax(batch.time) if not np.isnan(batch.time).all() else None
    day = None if newest is None else datetime.fromtimestamp(newest, UTC).date()
    inputs = batch.input_tokens[~np.isnan(batch.input_tokens)]
    traffic = Traffic(
        model,
        day,
        load_of_times(batch.time),
        units_of(batch, generation_of(model, day).lifetime.usual[0]),
        requests=len(batch),
        prefixes=_prefixes(batch.prefix),
        mean_input_tokens=float(inputs.mean()) if len(inputs) else None,
        keys_sent=_keys_sent(batch) if batch.has("prompt_cache_key") else None,
    )
    project = _named(batch.project, batch.project_names)
    return PlannedSeries(project, model, traffic, "requests")


def _named(codes: Ints, names: tuple[str, ...]) -> str | None:
    return names[int(codes[0])] if codes[0] >= 0 else None


def _prefixes(prefix: Ints) -> int | None:
    """How many; None where too few are known, or each is another one, as hashes of whole prompts."""
    known = prefix[prefix >= 0]
    if not len(known) or len(known) < UNIT_KNOWN.default * len(prefix):
        return None
    distinct = len(np.unique(known))
    return distinct if distinct == 1 or distinct < KEY_CHURN.default * len(known) else None


def _keys_sent(batch: RequestBatch) -> KeysSent:
    known = batch.key[batch.key >= 0]
    return KeysSent(len(known), len(np.unique(known)), len(batch))


def series_of_usage(files: UsageFiles) -> list[PlannedSeries]:
    """Each project and model of usage pages; by the minute where the files hold a whole day."""
    rows: dict[tuple[str | None, str | None], list[UsageRow]] = {}
    for row in files.usage.rows:
        if not row.batch:
            rows.setdefault((row.project_id, row.model), []).append(row)
    found = [_of_usage(files, series, own) for series, own in rows.items()]
    return sorted(found, key=lambda one: -(one.traffic.requests or 0))


def _of_usage(
    files: UsageFiles, series: tuple[str | None, str | None], rows: list[UsageRow]
) -> PlannedSeries:
    hours = _by_hour(rows)
    requests = np.array(list(hours.values()))
    load, basis = _load(files, series, hours, requests)
    day = day_of_hour(max(hours))
    known = [row for row in rows if row.input_tokens is not None and row.requests]
    total = sum(row.requests or 0 for row in known)
    reported = None if np.isnan(requests).all() else int(np.nansum(requests))
    traffic = Traffic(
        series[1],
        day,
        load,
        tuple(_template(requests, generation_of(series[1], day).lifetime.usual[0])),
        requests=reported,
        mean_input_tokens=sum(row.input_tokens or 0 for row in known) / total if total else None,
    )
    return PlannedSeries(*series, traffic, basis)


def _by_hour(rows: list[UsageRow]) -> dict[int, float]:
    """Requests by hour; nan where one row of the hour does not report them."""
    hours: dict[int, float] = {}
    for row in rows:
        value = float("nan") if row.requests is None else float(row.requests)
        hours[row.hour] = hours.get(row.hour, 0.0) + value
    return hours


def _load(
    files: UsageFiles,
    series: tuple[str | None, str | None],
    hours: dict[int, float],
    requests: Floats,
) -> tuple[Load, Basis]:
    minutes = files.minutes
    held = () if minutes is None else minutes.hours
    known = {hour: hours.get(hour, 0.0) for hour in held}
    day = busiest_day({hour: n for hour, n in known.items() if not math.isnan(n)}, cut=0)
    if minutes is None or day is None:
        return load_of_hours(requests), "hours"
    load = _of_minutes(minutes.rows_of({series: day}).get(series, []))
    quiet = load_of_hours(requests).peak.quiet_requests_per_hour
    return load._replace(peak=load.peak._replace(quiet_requests_per_hour=quiet)), "minutes"


def _of_minutes(rows: MinuteRows) -> Load:
    known = [row for row in rows if row.requests is not None and not row.batch]
    return load_of_minutes(
        np.array([row.minute for row in known], dtype=np.int64),
        np.array([float(row.requests or 0) for row in known]),
    )


def _template(requests: Floats, lifetime_minutes: float) -> Iterator[UnitFacts]:
    """All that hours can tell: whether the requests of an hour come often enough."""
    known = requests[~np.isnan(requests)]
    if not known.sum():
        return
    often = known * lifetime_minutes / MINUTES_PER_HOUR >= WARM_REPEATS.default
    share = float(known[often].sum() / known.sum())
    yield UnitFacts("template", 1, share, None, holds_long_part=True)
