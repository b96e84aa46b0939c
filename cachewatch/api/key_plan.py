"""The key plan of one series: whether a key helps, which, over how many shards, and the code."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated, cast

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from cachewatch.analysis.controls.control import FIRED
from cachewatch.analysis.examination import FAN_OUT
from cachewatch.analysis.key_advice import assumptions, plan
from cachewatch.analysis.key_advice.advice import KeyAdvice, LoadFall, finest_unit
from cachewatch.analysis.key_advice.code import LANGUAGES, derivation
from cachewatch.analysis.thresholds import KEY_LENGTH, KEY_RATE, WARM_REPEATS
from cachewatch.analysis.verdict_codes import SCATTER
from cachewatch.api.key_plan_shapes import (
    AssumedValues,
    KeyPlanQuery,
    KeyRules,
    PlanCode,
    PlannedUnit,
    PlanSpan,
    SeriesKeyPlan,
)
from cachewatch.api.series_detail import readable_series
from cachewatch.api.times import hour_start
from cachewatch.rollouts.key_advice import stored_load
from cachewatch.verdicts.addresses import NO_NAME, project_label, series_path
from cachewatch.verdicts.browse import newest_verdicts
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.presenting import evidence_of_verdict
from ingest.models import Series

router = Router(tags=["series"])


@router.get("/series/{int:series_id}/key-plan", response=SeriesKeyPlan)
def get_key_plan(
    request: HttpRequest, series_id: int, given: Annotated[KeyPlanQuery, Query()]
) -> SeriesKeyPlan:
    """The prompt_cache_key to send, if any: from the usage, and from what you know besides."""
    return key_plan_out(readable_series(request, series_id), given, now=timezone.now())


def key_plan_out(series: Series, given: KeyPlanQuery, *, now: datetime) -> SeriesKeyPlan:
    """The plan as the API shows it; `series.source` is loaded."""
    stored = stored_load(series, now=now)
    assumed = assumptions.Assumptions(given.unit, given.prefixes, given.requests_per_minute)
    newest = newest_verdicts([series]).get(series.pk)
    traffic = replace(stored.series.traffic, fall=_fall(newest), fan_out=_fans_out(newest))
    planned, advice = assumptions.planned_assuming(stored.series._replace(traffic=traffic), assumed)
    minutes = stored.minutes
    return SeriesKeyPlan(
        **plan.plan_of(planned, advice),
        series_id=series.pk,
        series_path=series_path(series),
        project_name=project_label(series),
        model_name=series.model or NO_NAME,
        heading=plan.heading(advice),
        hours=_span(stored.hours),
        minutes=None if minutes is None else _span((minutes.start_hour, minutes.end_hour)),
        mean_input_tokens=planned.traffic.mean_input_tokens,
        prefixes=planned.traffic.prefixes,
        repeating_unit=cast("PlannedUnit | None", finest_unit(planned.traffic.units)),
        derivation=PlanCode(**{one: derivation(one) for one in LANGUAGES}) if advice.unit else None,
        rules=_rules(advice),
        assumed=AssumedValues(**assumed._asdict()),
    )


def _fans_out(found: Verdict | None) -> bool:
    """Whether the newest verdict saw workers that start together."""
    evidence = None if found is None else evidence_of_verdict(found)
    control = None if evidence is None else evidence.control(FAN_OUT)
    return control is not None and control.status == FIRED


def _fall(found: Verdict | None) -> LoadFall | None:
    """What the newest verdict measured, where misses rise with load."""
    if found is None or found.code != SCATTER:
        return None
    quiet, busy = found.quiet_share, found.busy_share
    return None if quiet is None or busy is None else LoadFall(quiet, busy)


def _rules(advice: KeyAdvice) -> KeyRules:
    shortest, longest = advice.generation.lifetime.usual
    return KeyRules(
        requests_per_minute=KEY_RATE.default,
        repeats=WARM_REPEATS.default,
        lifetime_from_minutes=shortest,
        lifetime_to_minutes=longest,
        minimum_tokens=advice.generation.minimum_tokens,
        longest_key=int(KEY_LENGTH.default),
    )


def _span(hours: tuple[int, int] | None) -> PlanSpan | None:
    return hours and PlanSpan(start=hour_start(hours[0]), end=hour_start(hours[1]))
