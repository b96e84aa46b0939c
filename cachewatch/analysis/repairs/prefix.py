"""Repairs where the share is low at every load."""

from __future__ import annotations

from cachewatch.analysis.repairs.step import COMPARE_BODIES, PROBE, Repair, mark

_CEILING = Repair(
    "ceiling",
    "Work out how high the share can go",
    "Only the static part can be shared.",
    "Divide the static prefix tokens by the mean input tokens of a request.",
    "Under a quarter of the input: accept the level, or restructure the prompt so that more of it "
    "is static. Above: the distance to it is what can be had.",
)
_RECHECK = Repair(
    "recheck-every-load",
    "Read the share again at every load",
    "A prefix repair moves quiet and busy hours alike; a key moves the busy ones.",
    "Compare quiet and busy hours of two service days with the week before.",
    "Both moved: the prefix was the cause. Only the quiet ones: what is left falls with load, and "
    "has a list of its own.",
)
FLAT_LOW_BEFORE_GPT_5_6: tuple[Repair, ...] = (
    _CEILING,
    PROBE._replace(
        result="Both hit: requests scatter in production, or a key is new on each of them: go to "
        "the key. Only the identical pair hits: whole prompts match and prefixes do not; try "
        "in-memory retention on 5% of the traffic (GPT-5.4 and older). Neither hits: the bytes "
        "differ, a setting differs, or the prompt is below the minimum.",
    ),
    COMPARE_BODIES,
    Repair(
        "volatile-last",
        "Put what changes last and freeze the rest",
        "The prefix is shared up to the first byte that differs.",
        "Order the prompt: rules, tools and schema, examples, retrieved text, the user's words. "
        "Keep the tool list and its order fixed and choose with allowed_tools.",
        "The probe's second pair hits now: ship it. It still misses: something in front changes yet.",
    ),
    Repair(
        "stable-key",
        "Give the route one stable prompt_cache_key (models before GPT-5.6)",
        "A key that is new on each request makes every call a first call.",
        "Use the finest unit that repeats at least three times within one prompt cache lifetime. The "
        "key plan has the code that derives the key.",
        "The share rises at every load where a key per request was the fault. It does not move: "
        "the prefix is the fault.",
    ),
    _RECHECK,
    mark("prefix changed"),
)
FLAT_LOW_GPT_5_6_AND_LATER: tuple[Repair, ...] = (
    _CEILING,
    PROBE._replace(
        result="Both hit: look at the keys that are sent. Only the identical pair hits: the usual "
        "sign of a missing breakpoint. Neither hits: the bytes differ, a setting differs, or the "
        "prompt is below the minimum.",
    ),
    COMPARE_BODIES,
    Repair(
        "breakpoint-after-static",
        "Put an explicit breakpoint after the static part (GPT-5.6 and later)",
        "A probe that hits only on the identical pair is the usual sign of a missing breakpoint.",
        "End the static developer message with prompt_cache_breakpoint; the field instructions "
        "cannot carry one.",
        "The probe's second pair reads the static part: ship it. It does not: the text in front "
        "of the breakpoint still changes.",
    ),
    Repair(
        "explicit-only",
        "Allow explicit breakpoints only, on one-shot routes (GPT-5.6 and later)",
        "The tail of a request that nobody continues is otherwise written at 1.25 times the input "
        "price, and never read.",
        "Set prompt_cache_options to the mode explicit, and keep the one breakpoint after the "
        "static part. Without a breakpoint this mode switches the prompt cache off.",
        "Fewer tokens are written at the same share: right. The share falls: the route had turns "
        "that were read; switch the implicit mode on again.",
    ),
    Repair(
        "append-only",
        "Append messages and drop keys made per run (GPT-5.6 and later)",
        "A message that is extended is a new message; a key used once keeps others from reading.",
        "Leave earlier messages as they were sent, and record which keys are sent at the last hop.",
        "The share of later turns rises: it was the history. Unchanged: look at the first message.",
    ),
    _RECHECK,
    mark("breakpoint changed"),
)
