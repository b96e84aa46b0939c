"""Repairs where no cached tokens are reported at any load."""

from __future__ import annotations

from cachewatch.analysis.repairs.step import PROBE, Repair, mark

_MEASURE_FLOOR = Repair(
    "measure-floor",
    "Measure the minimum with your own settings (models before GPT-5.6)",
    "It varies with tools, images, schema and effort, and is not always 1,024 tokens.",
    "Send pairs of identical requests of growing length until the second one reports cached tokens.",
    "The length of the first hit is the minimum for these settings; note it. No hit at the length of "
    "the route: it is not eligible with these settings.",
)
_BELOW = (
    Repair(
        "count-tokens",
        "Count the tokens with tools and schema",
        "The minimum counts the rendered prompt, not the text you wrote.",
        "Use the provider's token count endpoint on a real request.",
        "Clearly under 1,024: not eligible, go on to accept it. Above: it is eligible, and the "
        "mean hides two sizes of request; look at the larger ones alone.",
    ),
    Repair(
        "is-there-a-prefix",
        "See whether two requests share a prefix at all",
        "Without one there is nothing to gain, however long the prompts are.",
        "Compare ten real bodies and count the tokens up to the first difference.",
        "A shared part near the minimum: the next step may pay. None: accept it.",
    ),
    Repair(
        "padding-arithmetic",
        "Pad only with useful text, and only where the arithmetic says so",
        "Text added to reach the minimum is paid for on every request.",
        "From GPT-5.6 on, reaching 1,024 tokens pays where the prefix has more than 1,024 x (0.1 + "
        "1.15 / N) tokens for N uses within a lifetime: 221 tokens at ten uses.",
        "More tokens than that: add examples or rules that help the answers too. Fewer: leave it.",
    ),
)
_ACCEPT = Repair(
    "accept-90-days",
    "Accept it, with a date to look again",
    "Prompts below the minimum are not eligible. Text added only to reach it costs more than it saves "
    "unless the prefix is used many times.",
    "Accept for 90 days, and note what would reopen it: a longer prompt, or another model.",
    "On that day the finding, or its absence, is looked at again by itself.",
)
BELOW_BEFORE_GPT_5_6: tuple[Repair, ...] = (*_BELOW, _MEASURE_FLOOR, _ACCEPT)
BELOW_GPT_5_6_AND_LATER: tuple[Repair, ...] = (*_BELOW, _ACCEPT)
_GREY = (
    Repair(
        "count-shared-prefix",
        "Count the shared prefix of ten requests",
        "The mean input is too close to the minimum of about 1,024 tokens: a prompt of 3,000 "
        "tokens with 600 static ones can never share.",
        "Compare ten real bodies and count the tokens up to the first difference, with tools and "
        "schema.",
        "Above the minimum: eligible, probe it. Below: not eligible as it stands.",
    ),
    PROBE,
)
GREY_BEFORE_GPT_5_6: tuple[Repair, ...] = (*_GREY, _MEASURE_FLOOR)
GREY_GPT_5_6_AND_LATER: tuple[Repair, ...] = _GREY
_ABOVE = (
    Repair(
        "usage-field-at-edge",
        "Read the usage field of a raw response at the provider's edge",
        "A gateway, a streaming client or a parser may drop the cached tokens.",
        "Look for cached_tokens inside the token details; ask for usage where the answer is streamed.",
        "The field is there and above zero: correct the parser before anything else ships. It is "
        "there and zero: go on.",
    ),
    Repair(
        "does-it-cache-at-all",
        "Check that this model, tier and batch setting use the prompt cache at all",
        "Some models never do, such as the pro ones, and batch does only from GPT-5 on.",
        "Look the model up in the provider's prompt caching guide.",
        "It does not: accept it, and note the model. It does: probe the route.",
    ),
    PROBE,
)
_KEY_AND_RETENTION = Repair(
    "key-and-retention",
    "Look at the key and the retention that are sent (models before GPT-5.6)",
    "A key for each request makes every call a first call, and an entry in memory is gone after 5 to "
    "10 minutes without use.",
    "Record twenty requests at the last hop: how many different keys, which prompt_cache_retention?",
    "Twenty different keys: send one stable key for the route. One key, and the prefix comes back "
    "after minutes: a retention question. Neither: measure the minimum.",
)
_KEYS_AND_BREAKPOINTS = Repair(
    "keys-and-breakpoints",
    "Look at keys and breakpoints (GPT-5.6 and later)",
    "A key for each request, or explicit mode without a breakpoint, leaves nothing to read.",
    "Record twenty requests at the last hop.",
    "Twenty different keys, or explicit mode without a marker: that is the cause. Neither: look at "
    "how often the prefix comes back.",
)
_SPARSE_OR_RACE = Repair(
    "sparse-or-race",
    "See whether the calls come too seldom, or all at once",
    "A prefix that comes back after its entry expired, and workers that start together, read nothing "
    "either.",
    "Count the calls of each prefix in an hour, and look at one burst by the second.",
    "Less than one call a lifetime: a retention question. All at once: one warm call first.",
)
ABOVE_BEFORE_GPT_5_6: tuple[Repair, ...] = (
    *(*_ABOVE, _KEY_AND_RETENTION, _MEASURE_FLOOR, _SPARSE_OR_RACE),
    mark("prefix changed"),
)
ABOVE_GPT_5_6_AND_LATER: tuple[Repair, ...] = (
    *(*_ABOVE, _KEYS_AND_BREAKPOINTS, _SPARSE_OR_RACE),
    mark("breakpoint changed"),
)
