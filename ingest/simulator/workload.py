"""What one stream of requests is made of: who sends it, its prompts, its key, its fleet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ingest.simulator.load import Load

KeyUnit = Literal["none", "template", "shard", "tenant", "conversation", "request"]
Arrival = Literal["spread", "regular", "cron", "bursts"]


class Cell(NamedTuple):
    """One combination of the dimensions the usage API can group by; None is a null there."""

    project_id: str | None
    model: str
    api_key_id: str | None = None
    user_id: str | None = None
    service_tier: str | None = "default"
    batch: bool = False
    api_source: str = "unlabeled"


@dataclass(frozen=True)
class Prompts:
    """Sizes in tokens. A prompt is template + tenant part + what differs each time.

    `template_tokens` counts the bytes that are truly equal in all requests: with an unstable
    prefix it ends at the first difference. `tenants` prefixes are drawn with weights
    1 / rank ** tenant_skew; `tenants_when_quiet` (None: the same) of them are active at the quiet
    rate. `tail_at_peak` multiplies the tail at the peak rate;
    `tail_sigma` and `tail_hour_sigma` are its logarithmic deviations per request and per hour. `turns` above 1 makes
    conversations, whose next prompt holds the one before.
    """

    template_tokens: int
    tail_tokens: float
    tenant_tokens: int = 0
    tenants: int = 1
    tenants_when_quiet: int | None = None
    tenant_skew: float = 0.0
    one_pass_at_opening: bool = False
    tail_sigma: float = 0.35
    tail_hour_sigma: float = 0.07
    tail_at_peak: float = 1.0
    output_tokens: float = 300.0
    turns: float = 1.0
    turn_pause_seconds: float = 60.0
    repeated_share: float = 0.0


@dataclass(frozen=True)
class Fleet:
    """The provider's machines as one route meets them.

    `home_machines`: the ring on which a route has its fixed home. `overflow_per_minute`: requests
    of a route beyond this in a minute go to any of the hour's spill machines; None: never.
    `spill_at_peak` machines at the peak rate, fewer below by (rate / peak) ** spill_exponent.
    `lifetime_seconds` of inactivity keep an entry; `lifetime_at_peak_seconds` when busy machines
    evict sooner; `lifetime_at_noon_seconds` when other customers do, at 14 UTC.
    `fill_seconds`: until then an entry being written cannot be read. `stray_share` of the
    requests land on some spill machine for no reason of the route's own.
    """

    lifetime_seconds: float = 1800.0
    lifetime_at_peak_seconds: float | None = None
    lifetime_at_noon_seconds: float | None = None
    home_machines: int = 64
    overflow_per_minute: int | None = 15
    spill_at_peak: float = 8.0
    spill_exponent: float = 1.0
    fill_seconds: float = 0.0
    stray_share: float = 0.01

    def __post_init__(self) -> None:
        """Raise ValueError for a lifetime that grows under pressure: the warm-up would be too short."""
        for shorter in (self.lifetime_at_peak_seconds, self.lifetime_at_noon_seconds):
            if shorter is not None and shorter > self.lifetime_seconds:
                raise ValueError("a lifetime under pressure exceeds lifetime_seconds")


@dataclass(frozen=True)
class CacheRules:
    """What a model generation's cache reads and bills.

    `readable` names the parts of a prompt another request can read back: every common beginning
    before GPT-5.6, only what ends at a breakpoint from it. `written_share` of the input is
    written by a request that reads nothing; None: up to the last readable part.
    """

    minimum_tokens: int = 1024
    step_tokens: int = 128
    automatic_routing: bool = False
    bills_writes: bool = False
    readable: frozenset[Literal["template", "tenant", "whole"]] = frozenset(
        {"template", "tenant", "whole"}
    )
    written_share: float | None = None
    twelve_hours: bool = False


@dataclass(frozen=True)
class FanOut:
    """How a job's workers start, for the arrivals "cron" (at :00) and "bursts" (at random times).

    A burst of n requests opens with one wave inside `wave_seconds`, before any answer can have
    filled the cache; `followers_factor` * n ** `followers_exponent` of them come after
    `fill_seconds`, spread until `done_seconds`. `bursts_per_hour` share an hour's requests.
    """

    followers_factor: float = 1.75
    followers_exponent: float = 0.594
    wave_seconds: float = 0.8
    fill_seconds: float = 6.0
    done_seconds: float = 55.0
    bursts_per_hour: int = 1


@dataclass(frozen=True)
class Revision:
    """Every `every`-th hour lacks `late_share` of its requests until `delay_hours` after its end."""

    every: int
    delay_hours: float
    late_share: float


@dataclass(frozen=True)
class Workload:
    """One stream of requests, the same in all its traits from `begins` to `ends`.

    Both are whole hours relative to the anchor (None: always). `stream` names the random numbers:
    two phases of one story share it, so that their load is one curve.
    """

    name: str
    cells: tuple[Cell, ...]
    load: Load
    prompts: Prompts
    key: KeyUnit = "none"
    shards: int = 1
    fleet: Fleet = field(default_factory=Fleet)
    rules: CacheRules = field(default_factory=CacheRules)
    arrival: Arrival = "spread"
    fan_out: FanOut = field(default_factory=FanOut)
    begins: int | None = None
    ends: int | None = None
    stream: str = ""
    uncounted_every: int = 0
    revision: Revision | None = None

    @property
    def stream_name(self) -> str:
        """The name its random numbers go by."""
        return self.stream or self.name

    def active(self, hour: int, anchor_hour: int) -> bool:
        """True where this phase of the story sends requests."""
        since_anchor = hour - anchor_hour
        begun = self.begins is None or since_anchor >= self.begins
        return begun and (self.ends is None or since_anchor < self.ends)


EXACT_RULES = CacheRules(step_tokens=1, automatic_routing=True, bills_writes=True)
