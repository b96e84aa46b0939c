"""Repairs where the share is low at every load, or nothing is cached at all."""

from __future__ import annotations

from cachewatch.analysis.repairs.step import COMPARE_BODIES, MARK_AND_READ, PROBE, Repair

_CEILING = Repair(
    "Work out how high the share can go",
    "Only the static part can be shared. If it is under a quarter of the input, accept the level "
    "or restructure the prompt.",
    "Divide the static prefix tokens by the mean input tokens of a request.",
)
FLAT_LOW_BEFORE_GPT_5_6: tuple[Repair, ...] = (
    _CEILING,
    PROBE,
    COMPARE_BODIES,
    Repair(
        "Put what changes last and freeze the rest",
        "The prefix is shared up to the first byte that differs.",
        "Order the prompt: rules, tools and schema, examples, retrieved text, the user's words. "
        "Keep the tool list and its order fixed and choose with allowed_tools.",
    ),
    Repair(
        "Give the route one stable prompt_cache_key (models before GPT-5.6)",
        "A key that is new on each request makes every call a first call.",
        "Use the finest unit that repeats at least three times within one prompt cache lifetime.",
    ),
    MARK_AND_READ,
)
FLAT_LOW_GPT_5_6_AND_LATER: tuple[Repair, ...] = (
    _CEILING,
    PROBE,
    COMPARE_BODIES,
    Repair(
        "Put an explicit breakpoint after the static part (GPT-5.6 and later)",
        "A probe that hits only on the identical pair is the usual sign of a missing breakpoint.",
        "End the static developer message with prompt_cache_breakpoint. On one-shot routes allow "
        "explicit breakpoints only, so that the tail is not written at 1.25 times the input price.",
    ),
    Repair(
        "Append messages and drop keys made per run (GPT-5.6 and later)",
        "A message that is extended is a new message; a key used once keeps others from reading.",
        "Leave earlier messages as they were sent, and record which keys are sent at the last hop.",
    ),
    MARK_AND_READ,
)
NO_CACHED_BELOW: tuple[Repair, ...] = (
    Repair(
        "Count the tokens with tools and schema",
        "The minimum counts the rendered prompt, not the text you wrote.",
        "Use the provider's token count endpoint on a real request, and see whether two requests "
        "share a prefix at all.",
    ),
    Repair(
        "Accept it, with a date to look again",
        "Prompts below the minimum are not eligible. Text added only to reach it costs more than "
        "it saves unless the prefix is used many times.",
        "Note the date and what would reopen it: a longer prompt, or another model.",
    ),
)
NO_CACHED_GREY: tuple[Repair, ...] = (
    Repair(
        "Count the shared prefix of ten requests",
        "The mean input is too close to the minimum of about 1,024 tokens: a prompt of 3,000 "
        "tokens with 600 static ones can never share.",
        "Compare ten real bodies and count the tokens up to the first difference, with tools and "
        "schema.",
    ),
    PROBE,
)
NO_CACHED_ABOVE: tuple[Repair, ...] = (
    Repair(
        "Read the usage field of a raw response at the provider's edge",
        "A gateway, a streaming client or a parser may drop the cached tokens.",
        "If the field is there, correct the parser before anything else ships.",
    ),
    Repair(
        "Check that this model, tier and batch setting use the prompt cache at all",
        "Some models and tiers never do.",
        "Look the model up in the provider's prompt caching guide.",
    ),
    PROBE,
    Repair(
        "Look at keys and breakpoints",
        "A key for each request, or explicit mode without a breakpoint, leaves nothing to read.",
        "Record twenty requests at the last hop.",
    ),
    MARK_AND_READ,
)
