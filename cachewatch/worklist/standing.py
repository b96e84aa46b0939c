"""Where series stand: their newest verdict, in the few numbers that findings follow."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from typing import NamedTuple

from cachewatch.analysis.evidence import is_finding
from cachewatch.verdicts.models import Verdict
from ingest.models import Source


class Standing(NamedTuple):
    """The newest verdict of a series; `mean_input` is input tokens a request, None if unknown."""

    series_id: int
    code: str
    day: date
    mean_input: float | None
    window_start_hour: int

    @property
    def is_finding(self) -> bool:
        """Whether it is a finding."""
        return is_finding(self.code, self.mean_input, "full")


def standings(source: Source) -> dict[int, Standing]:
    """Every classified series of a source, by its id."""
    rows = Verdict.objects.filter(series__source=source, is_newest=True).values_list(
        "series_id", "code", "day", "requests", "input_tokens", "window_start_hour"
    )
    return {
        series: Standing(series, code, day, _mean(tokens, requests), start)
        for series, code, day, requests, tokens, start in rows
    }


def _mean(tokens: int | None, requests: int | None) -> float | None:
    return tokens / requests if requests and tokens is not None else None


def first_hours(found: Collection[Standing]) -> Mapping[int, int]:
    """The first hour that each verdict is about, by series: its onset, else its window's start."""
    rows = Verdict.objects.filter(
        series__in=[one.series_id for one in found], is_newest=True
    ).values_list("series_id", "window_start_hour", "evidence__numbers__since_hour")
    return {series: start if since is None else int(since) for series, start, since in rows}
