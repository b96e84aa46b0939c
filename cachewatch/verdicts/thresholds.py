"""The thresholds in force: defaults, replaced by the source's, replaced by the series' own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from django.db import transaction

from cachewatch.accounts.models import User
from cachewatch.analysis.thresholds import DEFAULTS, Thresholds
from cachewatch.verdicts.models import ThresholdOverride
from ingest.models import Series, Source

SetBy = Literal["default", "source", "series"]


def thresholds_in_force(series: Series) -> tuple[Thresholds, SetBy]:
    """The thresholds of one series, and the nearest place where one of them was set."""
    found = thresholds_of_series(series.source, [series.pk])[0]
    own = ThresholdOverride.objects.filter(source=series.source_id)
    if own.filter(series=series).exists():
        return found, "series"
    return found, "source" if own.filter(series=None).exists() else "default"


def thresholds_of_source(source: Source) -> tuple[Thresholds, SetBy]:
    """The thresholds of a source's series that have none of their own, and where they were set."""
    own = ThresholdOverride.objects.filter(source=source, series=None).first()
    if own is None:
        return DEFAULTS, "default"
    return DEFAULTS.with_overrides(own.values), "source"


def thresholds_of_series(source: Source, series_ids: Sequence[int]) -> list[Thresholds]:
    """The thresholds of many series of one source, in the order of the ids."""
    overrides: dict[int | None, dict[str, float]] = dict(
        ThresholdOverride.objects.filter(source=source).values_list("series_id", "values")
    )
    of_source = DEFAULTS.with_overrides(overrides.get(None, {}))
    if len(overrides) == (None in overrides):
        return [of_source] * len(series_ids)
    return [of_source.with_overrides(overrides.get(pk, {})) for pk in series_ids]


def keys_of(thresholds: Sequence[Thresholds]) -> list[str]:
    """Thresholds.key of each, made once where series share their thresholds."""
    shared = {id(one): one.key for one in {id(one): one for one in thresholds}.values()}
    return [shared[id(one)] for one in thresholds]


@transaction.atomic
def set_thresholds(
    source: Source,
    series: Series | None,
    values: Mapping[str, float],
    *,
    by: User | None,
    now: datetime,
) -> Thresholds:
    """Set the thresholds of a source, or of one series of it; what is left out follows the outer.

    Raises ThresholdError, which names the threshold and its range.
    """
    thresholds = DEFAULTS.with_overrides(values)
    ThresholdOverride.objects.update_or_create(
        source=source,
        series=series,
        defaults={"values": dict(values), "changed_by": by, "changed_at": now},
    )
    return thresholds


def clear_thresholds(source: Source, series: Series | None) -> None:
    """Take the thresholds of a source, or of one series of it, back to the outer ones."""
    ThresholdOverride.objects.filter(source=source, series=series).delete()
