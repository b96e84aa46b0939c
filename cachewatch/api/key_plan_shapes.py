"""The shapes of a key plan: what is assumed, the advice, its numbers, and the code."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Field
from pydantic import AllowInfNan

from cachewatch.analysis.key_advice.thresholds import MOST_PREFIXES, MOST_REQUESTS_PER_MINUTE
from cachewatch.api.base_shape import Shape
from cachewatch.api.examples import examples

PlannedUnit = Literal["conversation", "tenant-document", "template"]
Rate = Annotated[float, AllowInfNan(False)]


class KeyPlanQuery(Shape):
    """What you know besides; what is left out is taken from the usage, or not known."""

    unit: PlannedUnit | None = Field(
        default=None, description="what one key is to stand for; left out: the finest that repeats"
    )
    prefixes: int | None = Field(
        default=None,
        ge=1,
        le=MOST_PREFIXES,
        description="different prefixes (tenants, documents) that the template carries",
    )
    requests_per_minute: Rate | None = Field(
        default=None,
        gt=0,
        le=MOST_REQUESTS_PER_MINUTE,
        description="at most so many in 99 of 100 minutes; left out: as measured",
    )


class AssumedValues(Shape):
    """What was taken as given; null is taken from the usage, or not known."""

    unit: PlannedUnit | None
    prefixes: int | None
    requests_per_minute: float | None


class ShardRange(Shape):
    """How many keys a template is spread over.

    From `low` (enough in 99 of 100 minutes) to `high` (in each; null is not known), never more than
    `kept_warm`, which quiet hours keep warm (null is not known); `needed` is without that limit.
    """

    low: int
    high: int | None
    needed: int
    kept_warm: int | None


class UnitNumbers(Shape):
    """What a key could stand for; the share is of requests among three of one unit in a lifetime."""

    granularity: PlannedUnit
    distinct: int
    repeating_share: float
    requests_per_minute: float | None
    holds_long_part: bool | None


class KeysSentNumbers(Shape):
    """Requests that carry a key, how many keys those are, and of how many requests."""

    requests_with: int
    distinct: int
    requests: int


class PlanCode(Shape):
    """The same for each way to call the API."""

    python: str
    node: str
    http: str


class PlanSpan(Shape):
    """Half-open, UTC."""

    start: datetime
    end: datetime


class KeyRules(Shape):
    """What the plan follows: `requests_per_minute` fit under a key; `repeats` within the usual
    lifetime of an entry, `lifetime_from_minutes` at the least, keep it warm."""

    requests_per_minute: float
    repeats: float
    lifetime_from_minutes: float
    lifetime_to_minutes: float
    minimum_tokens: int
    longest_key: int


class SeriesKeyPlan(Shape):
    """Whether a key helps a series, at which unit, over how many shards; null is "not known".

    The numbers are those of `cachewatch key-plan`, from the stored hours and, where a day was read
    by the minute, from that. `by_minute`: `requests_per_minute` is the 99th percentile of minutes;
    else the mean minute of the busiest hour, which real peaks exceed. `unit` null: send no key.
    """

    series_id: int
    series_path: str
    project_id: str | None
    project_name: str
    model: str | None
    model_name: str
    heading: str
    basis: Literal["requests", "minutes", "hours"]
    hours: PlanSpan | None
    minutes: PlanSpan | None
    requests: int | None
    mean_input_tokens: float | None
    prefixes: int | None
    generation: str
    key_improves_routing: bool
    helps: Literal["yes", "little", "no", "unknown"]
    unit: PlannedUnit | None
    shards: ShardRange | None
    keys: list[str] = Field(description="braces stand for hashes")
    reasons: list[str]
    requests_per_minute: float | None
    by_minute: bool
    busiest_minute: float | None
    quiet_requests_per_hour: float | None
    units: list[UnitNumbers]
    repeating_unit: PlannedUnit | None = Field(
        description="the finest unit that is known to come often enough for a key"
    )
    keys_sent: KeysSentNumbers | None
    code: PlanCode | None = Field(description="the call; null where no key is sent")
    derivation: PlanCode | None = Field(description="the function that is called, to copy")
    rules: KeyRules
    assumed: AssumedValues

    model_config = examples(
        {
            "series_id": 12,
            "series_path": "/series/acme/proj_a/gpt-4o",
            "project_id": "proj_a",
            "project_name": "rag-answer",
            "model": "gpt-4o",
            "model_name": "gpt-4o",
            "heading": "Send a key per template, over 4 to 6 shards",
            "basis": "minutes",
            "hours": {"start": "2026-11-19T13:00:00Z", "end": "2026-11-26T13:00:00Z"},
            "minutes": {"start": "2026-11-24T00:00:00Z", "end": "2026-11-25T00:00:00Z"},
            "requests": 402117,
            "mean_input_tokens": 7000.0,
            "prefixes": 12,
            "generation": "up to GPT-5.4",
            "key_improves_routing": True,
            "helps": "yes",
            "unit": "template",
            "shards": {"low": 4, "high": 6, "needed": 4, "kept_warm": 11},
            "keys": [f"cw1-{{prompt and tools}}-{shard}" for shard in range(4)],
            "reasons": [
                (
                    "In busy minutes there are 60 requests, and about 15 fit on one machine; "
                    "they have 12 prefixes, which shards keep together."
                )
            ],
            "requests_per_minute": 60.0,
            "by_minute": True,
            "busiest_minute": 80.0,
            "quiet_requests_per_hour": 400.0,
            "units": [
                {
                    "granularity": "template",
                    "distinct": 1,
                    "repeating_share": 1.0,
                    "requests_per_minute": None,
                    "holds_long_part": True,
                }
            ],
            "repeating_unit": "template",
            "keys_sent": None,
            "code": {
                "python": "key = cache_key(system, tools, tenant_id, 4)\n",
                "node": "const key = cacheKey(system, tools, tenantId, 4);\n",
                "http": 'key=$(cache_key "$system" "$tools" "$tenant_id" 4)\n',
            },
            "derivation": {
                "python": "def cache_key(...): ...\n",
                "node": "export function cacheKey(...) { ... }\n",
                "http": "cache_key() { ...; }\n",
            },
            "rules": {
                "requests_per_minute": 15.0,
                "repeats": 3.0,
                "lifetime_from_minutes": 5.0,
                "lifetime_to_minutes": 10.0,
                "minimum_tokens": 1024,
                "longest_key": 64,
            },
            "assumed": {"unit": None, "prefixes": 12, "requests_per_minute": None},
        }
    )
