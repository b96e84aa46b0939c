"""Open the readouts of a rollout, and measure those whose hours or markers have changed."""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction
from django.db.models import F, OuterRef, QuerySet, Subquery

from cachewatch.rollouts.due import (
    MOST_SERIES,
    active_from,
    inputs_of,
    maybe_due,
    rollouts_to_open,
    tells_hours,
)
from cachewatch.rollouts.measuring import Measured, measure
from cachewatch.rollouts.models import Marker, Readout, Rollout
from cachewatch.rollouts.queries import readouts_in_force
from cachewatch.rollouts.services.noticing import notice_changes
from cachewatch.rollouts.targets import series_in_scope
from cachewatch.verdicts.models import Verdict
from ingest.models import Series, Source
from ingest.queries import complete_to

logger = structlog.get_logger(__name__)

# A difference of a tenth of a point shows in the digits of a page.
SHOWN_DIGITS = 3


def open_readouts(rollout: Rollout, *, now: datetime) -> int:
    """Open the readouts that a rollout lacks, MOST_SERIES at most; returns how many were opened.

    One for each series in scope with traffic in the week before the marker (or before now, where
    the marker lies ahead), those with most input first. Safe to run twice and beside itself.
    """
    marker = rollout.marker
    room = MOST_SERIES - rollout.readouts.count()
    wanted = _series_to_read(marker, now).exclude(readouts__rollout=rollout)[: max(room, 0)]
    opened = [Readout(rollout=rollout, series=one, opened_at=now) for one in wanted]
    Readout.objects.bulk_create(opened, ignore_conflicts=True)
    return len(opened)


def measure_due(source: Source, *, now: datetime, most: int | None = None) -> int:
    """Measure what is due in a source; returns how many readouts were.

    Due: never measured, or hours were read, restated or settled since, or markers changed. Decided
    ones keep what they say; where restated hours would change it, that is kept beside. Each readout
    is a transaction of its own: safe to run twice, beside itself, and to be killed.
    """
    for rollout in rollouts_to_open(source, now):
        open_readouts(rollout, now=now)
    settled = complete_to([source.pk], now=now).get(source.pk)
    if settled is None:
        return 0
    measured = 0
    for readout_id in _due(source, settled):
        if most is not None and measured >= most:
            break
        measured += _measure_if_due(readout_id, settled, now)
    return measured


@transaction.atomic
def _due(source: Source, settled: int) -> list[int]:
    """Readouts to measure, never measured ones first; the others are not looked at again.

    Decided ones are among them. What it costs follows what changed, not how many readouts there are.
    """
    notice_changes(source, settled)
    readouts = maybe_due(source)
    pairs = list(zip(readouts, inputs_of(readouts, settled), strict=True))
    seen = [one.pk for one, inputs in pairs if not inputs.make_due(one)]
    Readout.objects.filter(pk__in=seen, may_be_due=True).update(may_be_due=False)
    return [one.pk for one, inputs in pairs if inputs.make_due(one)]


def _measure_if_due(readout_id: int, settled: int, now: datetime) -> bool:
    with transaction.atomic():
        held = (
            readouts_in_force()
            .select_for_update(of=("self",), skip_locked=True)
            .filter(pk=readout_id)
            .first()
        )
        if held is None:
            return False
        (inputs,) = inputs_of([held], settled)
        if not inputs.make_due(held):
            return False
        if held.outcome and not tells_hours(held.measured_key):
            # Frozen by rules whose key says nothing of hours: what it said then holds.
            held.measured_key, held.may_be_due = inputs.key, False
            held.save(update_fields=["measured_key", "may_be_due"])
            return False
        # Read before the hours are: a store in between makes it due again.
        held.measured_key, held.may_be_due = inputs.key, False
        _measure(held, inputs.near, inputs.now_hour, now)
        held.save()
        return True


def _measure(held: Readout, near: list[Marker], now_hour: int, now: datetime) -> None:
    try:
        found = measure(held.rollout.marker, held.series, near, now_hour)
    except (ArithmeticError, LookupError, ValueError):
        # One that fails must not keep the others waiting; it is due again when its hours change.
        logger.exception("readout_failed", readout=held.pk, series=held.series_id)
        held.problem = "This readout could not be measured; the log says why."
        return
    held.problem = ""
    if held.outcome:
        _keep_late(held, found, now)
    else:
        _keep(held, found, now_hour, now)


def _keep(held: Readout, found: Measured, now_hour: int, now: datetime) -> None:
    held.state, held.document, held.net_change = found
    held.data_version = held.series.data_version
    held.settled_hour, held.measured_at = now_hour, now


def _keep_late(held: Readout, found: Measured, now: datetime) -> None:
    """What a frozen readout would say now, where its word or its digits differ."""
    if _shown(found.state, found.net_change) == _shown(held.state, held.net_change):
        held.late_state, held.late_document, held.late_at = "", None, None
    else:
        held.late_state, held.late_document, held.late_at = found.state, found.document, now


def _shown(state: str, change: float | None) -> tuple[str, float | None]:
    return state, None if change is None else round(change, SHOWN_DIGITS)


def _series_to_read(marker: Marker, now: datetime) -> QuerySet[Series]:
    if marker.scope == Marker.Scope.SERIES:
        return series_in_scope(marker)
    active = active_from(marker, now)
    tokens = Verdict.objects.filter(series=OuterRef("pk"), is_newest=True).values("input_tokens")
    return (
        series_in_scope(marker)
        .filter(first_hour__lt=active.end, last_hour__gte=active.start)
        .annotate(week_tokens=Subquery(tokens))
        .order_by(F("week_tokens").desc(nulls_last=True), "pk")
    )
