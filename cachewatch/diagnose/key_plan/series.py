"""The traffic of each project and model, from a log of requests or from usage pages."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import numpy as np

from cachewatch.analysis.cache_generation import generation_of
from cachewatch.analysis.key_advice.advice import KeysSent, Traffic
from cachewatch.analysis.key_advice.load import load_of_times
from cachewatch.analysis.key_advice.thresholds import UNIT_KNOWN
from cachewatch.analysis.key_advice.units import units_of
from cachewatch.analysis.key_advice.usage import (
    PlannedSeries,
    UsageHours,
    UsageMinutes,
    planned_of_usage,
)
from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.requests.groups import groups_of
from cachewatch.analysis.requests.thresholds import KEY_CHURN
from cachewatch.analysis.requests.usable import usable
from cachewatch.analysis.segments import Ints
from cachewatch.diagnose.cells import numbers
from cachewatch.diagnose.file_minutes import busiest_day
from cachewatch.diagnose.minute_rows import MinuteRows
from ingest.normalise import UsageRow
from ingest.usage_files import UsageFiles


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
        sampled=True,
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
    hours = UsageHours(
        np.array([row.hour for row in rows], dtype=np.int64),
        numbers([row.requests for row in rows]),
        numbers([row.input_tokens for row in rows]),
    )
    return planned_of_usage(*series, hours, _minutes(files, series, hours))


def _minutes(
    files: UsageFiles, series: tuple[str | None, str | None], hours: UsageHours
) -> UsageMinutes | None:
    """The busiest whole day of the series that the files hold by the minute; None without one."""
    minutes = files.minutes
    if minutes is None:
        return None
    known: dict[int, float] = dict.fromkeys(minutes.hours, 0.0)
    for hour, requests in zip(hours.hour.tolist(), hours.requests.tolist(), strict=True):
        if hour in known:
            known[hour] += requests
    day = busiest_day({hour: n for hour, n in known.items() if not math.isnan(n)}, cut=0)
    return None if day is None else _of_minutes(minutes.rows_of({series: day}).get(series, []))


def _of_minutes(rows: MinuteRows) -> UsageMinutes:
    known = [row for row in rows if row.requests is not None and not row.batch]
    return UsageMinutes(
        np.array([row.minute for row in known], dtype=np.int64),
        np.array([float(row.requests or 0) for row in known]),
    )
