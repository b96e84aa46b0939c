"""All rollouts of known effect, by name."""

from __future__ import annotations

from tests.accuracy.rollouts import disturbed, lifetimes, repairs
from tests.accuracy.rollouts.scene import RolloutFamily

FAMILIES: tuple[RolloutFamily, ...] = (
    RolloutFamily("real", "a key per tenant ends the scatter", repairs.real),
    RolloutFamily(
        "real-conversations", "a key per conversation ends it", repairs.real_conversations
    ),
    RolloutFamily("partial", "a key in a few shards ends part of it", repairs.partial),
    RolloutFamily(
        "nothing-scattered", "a key where nothing was scattered", repairs.nothing_scattered
    ),
    RolloutFamily(
        "per-request-still",
        "the new key is as unique as the old",
        repairs.per_request_before_and_after,
    ),
    RolloutFamily(
        "scattered-to-per-request",
        "a key per request after scatter",
        repairs.scattered_then_per_request,
    ),
    RolloutFamily(
        "healthy-to-per-request", "a key per request after calm", repairs.healthy_then_per_request
    ),
    RolloutFamily("breakpoint", "a breakpoint behind the static part", repairs.breakpoint_set),
    RolloutFamily("retention", "entries outlive the pauses", lifetimes.retention_longer),
    RolloutFamily(
        "retention-too-short",
        "entries live longer, not over the pause: only inside the run",
        lifetimes.retention_too_short,
    ),
    RolloutFamily("warm-call", "one call ahead of the first wave", lifetimes.warm_call),
    RolloutFamily(
        "warm-call-too-early", "no effect, it has expired", lifetimes.warm_call_too_early
    ),
    RolloutFamily("writes", "less is written that nobody reads", lifetimes.writes_less),
    RolloutFamily("writes-still", "no effect, as much is written", lifetimes.writes_still),
    RolloutFamily("writes-more", "more is written that nobody reads", lifetimes.writes_more),
    RolloutFamily("traffic-doubles", "no effect, twice the traffic", disturbed.traffic_doubles),
    RolloutFamily("traffic-halves", "no effect, half the traffic", disturbed.traffic_halves),
    RolloutFamily(
        "doubled-and-repaired", "a real repair, twice the traffic", disturbed.doubled_and_repaired
    ),
    RolloutFamily("model-changes", "no effect, another model", disturbed.model_changes),
    RolloutFamily(
        "prompt-changes", "no effect, a prompt of other length", disturbed.prompt_changes
    ),
    RolloutFamily("prompt-marked", "the same, marked", disturbed.prompt_changes_marked),
    RolloutFamily(
        "prompt-reordered",
        "no effect, the same prompt in another order",
        disturbed.prompt_reordered,
        fair=False,
    ),
    RolloutFamily("weekend", "no effect, other traffic at weekends", disturbed.weekend_traffic),
    RolloutFamily("holiday", "no effect, a holiday after the marker", disturbed.holiday),
    RolloutFamily("drift", "no effect, prompts grow daily", disturbed.drift),
    RolloutFamily(
        "provider-wide", "no effect, the provider loses for all", disturbed.provider_wide
    ),
)
BY_NAME = {family.name: family for family in FAMILIES}
