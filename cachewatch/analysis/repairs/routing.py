"""Repairs where the share falls as load rises."""

from __future__ import annotations

from cachewatch.analysis.repairs.step import COUNT_PREFIXES, Repair, mark

_MINUTES = Repair(
    "busy-day-by-minute",
    "Look at one busy day by the minute",
    "Hourly numbers cannot tell misses that come with the load from many prefixes that expire "
    "between their calls, and they hide bursts and gaps of up to two hours.",
    "Read 1-minute buckets of that project and model. Does the share fall in the busier minutes "
    "of the same hour?",
    "It falls: go on. It does not: prefixes that expire, other traffic or the clock explain the "
    "slope. Change nothing yet: count the prefixes, and read the list for a changing mix.",
)
_RACE = Repair(
    "fan-out-race",
    "Look for workers that start at once",
    "Requests sent before the first one has finished all miss, and more of them do as load grows.",
    "Compare the first seconds of each burst with the rest.",
    "If only the first are cold, make one call, wait for its first token, then start the others. "
    "More keys do not help here.",
)
BEFORE_GPT_5_6: tuple[Repair, ...] = (
    _MINUTES,
    COUNT_PREFIXES,
    _RACE,
    Repair(
        "keys-at-last-hop",
        "Find out which prompt_cache_key is sent today (models before GPT-5.6)",
        "SDKs and gateways set one without being asked, often new for each run or conversation.",
        "Record twenty requests at the last hop: is the key there, how many different ones, does "
        "a gateway remove it?",
        "Twenty different keys on one template scatter like none: replace them. No key: choose one "
        "below. One steady key already: look at the bodies next.",
    ),
    Repair(
        "quiet-and-busy-bodies",
        "Compare one quiet and two busy request bodies",
        "The busy path may send another prompt, which no key repairs.",
        "Record the bodies at the last hop and find the first byte that differs: "
        "cachewatch diff quiet.json busy.json names it.",
        "Quiet and busy differ before the user's words: stabilise the prompt first. They agree: a "
        "key can help.",
    ),
    Repair(
        "stable-key",
        "Set a stable prompt_cache_key (models before GPT-5.6)",
        "On these models the key steers requests with the same prefix to the same machine. It is "
        "a hint: it pins nothing and guarantees no hit.",
        "Use the finest unit that repeats at least three times within one prompt cache lifetime and "
        "shares the long part: the conversation for agents, the tenant's document, or the "
        "template for one-shot calls. The key plan has the code that derives the key. At most 64 "
        "characters, never a request id: a key used once scatters like none. Spread one key over "
        "hash buckets only where its 99th percentile minute is above 15 requests and it carries "
        "many prefixes.",
        "Set on every request of the unit: go on with a part of the traffic. The route cannot name "
        "a unit that repeats: a key will not help it.",
    ),
    Repair(
        "ship-to-a-part",
        "Ship it to a part of the units under its own API key",
        "Then the usage report shows both halves side by side.",
        "Take 20% of templates or tenants, never 20% of requests.",
        "The busy share should move and the quiet one stay. Quiet hours down: too many keys. "
        "Nothing moved: remove the key and look at single requests.",
    ),
    mark("key shipped"),
)
GPT_5_6_AND_LATER: tuple[Repair, ...] = (
    _MINUTES,
    COUNT_PREFIXES,
    _RACE,
    Repair(
        "drop-run-keys",
        "Find who sends a prompt_cache_key and drop keys made per run (GPT-5.6 and later)",
        "From GPT-5.6 a key only separates prompt cache accounting and finds no entry; a key that "
        "is too fine lowers the share. At another provider, such as Azure, the vendor's page still "
        "says that a key improves matching: there follow that page.",
        "Record twenty requests at the last hop and count the different keys. SDKs and gateways "
        "may add one.",
        "Several keys for one prefix: drop them and read two service days. None, or one steady key: "
        "it is not the key.",
    ),
    Repair(
        "writes-with-load",
        "See whether prompt cache writes rise with load (GPT-5.6 and later)",
        "If they do, the same prefix is written again and again: a breakpoint in the wrong place, "
        "or an entry that expires after 30 minutes.",
        "Divide the tokens written to the prompt cache by input tokens in the quiet and in the "
        "busy hours.",
        "The written part rises with load: set or move the breakpoint. It does not: requests miss "
        "entries that exist, ask the diagnostics below.",
    ),
    Repair(
        "breakpoint-after-static",
        "Put an explicit breakpoint after the static part (GPT-5.6 and later)",
        "An entry ends where a breakpoint stands; text that changes must come after it.",
        "Move the static part into a developer message that ends with prompt_cache_breakpoint; "
        "keep implicit breakpoints on where a conversation has several turns. The field instructions "
        "cannot carry one.",
        "The share rises at every load and fewer tokens are written: the breakpoint was the cause.",
    ),
    Repair(
        "ask-diagnostics",
        "Ask the provider's diagnostics about 1% of busy traffic for a day",
        "They name the reason of a miss, request by request.",
        "Send comparison_response_id with the id of an earlier answer of the same prefix, and group "
        "the reasons that come back.",
        "A reason names the setting or the text that changed: repair that. Equal structure and "
        "still a miss: open a provider ticket with request ids and hours, and ship nothing.",
    ),
    mark("breakpoint changed"),
)
