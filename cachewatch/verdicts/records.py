"""From a classification to verdict rows, one per series and day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

import numpy as np

from cachewatch.analysis.classify import RULES_VERSION, classify
from cachewatch.analysis.evidence import Evidence, window_numbers
from cachewatch.analysis.gather import evidences_of
from cachewatch.analysis.hours import SixHourPoints, six_hour_points
from cachewatch.analysis.thresholds import Thresholds
from cachewatch.money import Traffic, decided_of
from cachewatch.verdicts.arrays import load_hours_and_cells
from cachewatch.verdicts.daily import facts_of
from cachewatch.verdicts.history import Columns
from cachewatch.verdicts.minute_tests import load_minute_days
from cachewatch.verdicts.money import claim_columns, claims_of
from cachewatch.verdicts.thresholds import keys_of
from cachewatch.verdicts.witnesses import witnesses_of
from ingest.models import Series

WINDOW_HOURS = 168
HOURS_PER_DAY = 24


@dataclass(frozen=True)
class Window:
    """The hours a verdict is about: [end_hour - 168, end_hour)."""

    end_hour: int

    @property
    def start_hour(self) -> int:
        """The first hour of the window."""
        return self.end_hour - WINDOW_HOURS

    @property
    def day(self) -> date:
        """The UTC day of the window's last hour."""
        return day_of(self.end_hour - 1)


def day_of(hour: int) -> date:
    """The UTC day that holds an hour."""
    return datetime.fromtimestamp(hour * 3600, UTC).date()


def end_of_day(day: date) -> int:
    """The first hour after a UTC day."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return int(midnight.timestamp()) // 3600 + HOURS_PER_DAY


def verdict_rows(
    series: Sequence[Series], thresholds: Sequence[Thresholds], window: Window, *, now: datetime
) -> list[Columns]:
    """What is to be written of these series of one source over one window, in their order.

    `series` must have been read before this call: their data_version is what the verdict is of,
    so that a store in between makes it stale again.
    """
    if not series:
        return []
    ids, span = [one.pk for one in series], (window.start_hour, window.end_hour)
    models = [one.model for one in series]
    (batch, partly_read_hours), cells = load_hours_and_cells(ids, *span)
    result = classify(
        batch,
        thresholds,
        cells=cells.batch,
        models=models,
        minutes=load_minute_days(ids, span, cells),
        witnesses=witnesses_of(series[0].source_id, ids, batch, span),
        clipped_hours=partly_read_hours,
    )
    evidence = evidences_of(result, cells.labels)
    decided = decided_of(result, evidence, *span)
    claims = claims_of(ids, Traffic(batch, models, *cells), decided, window.end_hour)
    judged_by = [(RULES_VERSION, key) for key in keys_of(thresholds)]
    points = _points(six_hour_points(batch, window.end_hour))
    return [
        {
            "series_id": one.pk,
            "data_version": one.data_version,
            **_of_window(window, now),
            **_numbers(evidence[index]),
            "thresholds_key": judged_by[index][1],
            **claim_columns(claims[index]),
            "evidence": {"numbers": evidence[index], "points": points[index]},
            "window_facts": facts_of(result, index, evidence[index], span, judged_by[index]),
        }
        for index, one in enumerate(series)
    ]


def _of_window(window: Window, now: datetime) -> Columns:
    return {
        "day": window.day,
        "window_start_hour": window.start_hour,
        "window_end_hour": window.end_hour,
        "rules_version": RULES_VERSION,
        "decided_at": now,
    }


def _numbers(evidence: Evidence) -> Columns:
    return {
        "code": evidence.verdict,
        "published_state": evidence.published_state,
        **window_numbers(evidence),
        "excluded": evidence.excluded,
        "flags": evidence.flags,
    }


def _points(points: SixHourPoints) -> list[list[list[int | None]]]:
    """[cached, input] of each six hours of each series, oldest first; None where nothing is known."""
    pairs = np.stack([points.cached_tokens, points.input_tokens], axis=-1)
    whole = np.nan_to_num(pairs).astype(np.int64).astype(object)
    whole[np.isnan(pairs)] = None
    found: list[list[list[int | None]]] = whole.tolist()
    return found
