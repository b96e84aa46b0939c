"""Repairs that shipped, and the check of a key before it ships."""

from __future__ import annotations

from typing import Annotated, Any, cast

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from cachewatch.analysis import key_plan
from cachewatch.api.marker_rows import names_of, rollout_out
from cachewatch.api.marker_shapes import KeyLint, KeyNote, KeyPlan, RolloutPage
from cachewatch.api.markers import MarkerQuery, marker_filter
from cachewatch.api.paging import PagingQuery, page_of
from cachewatch.api.series_detail import readable_series
from cachewatch.rollouts import queries
from cachewatch.rollouts.key_advice import stored_load

router = Router(tags=["rollouts"])


@router.get("/rollouts", response=RolloutPage)
def list_rollouts(
    request: HttpRequest, chosen: Annotated[MarkerQuery, Query()], paging: PagingQuery
) -> dict[str, object]:
    """Repairs in force, the latest first. The filter is that of markers."""
    wanted = marker_filter(request, chosen)
    names = names_of(wanted.source_ids)
    return page_of(queries.list_rollouts(wanted), paging, lambda row: rollout_out(row, names))


@router.post("/rollouts/lint", response=KeyLint)
def lint_rollout(request: HttpRequest, plan: KeyPlan) -> KeyLint:
    """Check a planned key; nothing is stored. A POST, so that no log keeps the key in an address."""
    series = readable_series(request, plan.series_id)
    now = timezone.now()
    load = stored_load(series, now=now).series.traffic.load.peak
    found = key_plan.lint_key(
        key_plan.KeyPlan(plan.granularity, plan.key, plan.shards, plan.units_at_peak),
        load,
        series.model,
        (plan.at or now).date(),
    )
    return KeyLint(
        refused=found.refused,
        notes=[KeyNote(**cast("Any", note._asdict())) for note in found.notes],
        requests_per_minute_at_peak=load.requests_per_minute,
        requests_per_minute_per_key=found.requests_per_minute_per_key,
        by_minute=load.by_minute,
    )
