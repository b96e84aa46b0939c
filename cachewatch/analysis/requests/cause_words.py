"""The causes in words for pages: what each is called, what it says, and whose it is to fix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cachewatch.analysis.requests.findings import Cause, Confidence

UNKNOWN = "unknown"


class CauseWords(NamedTuple):
    """`word`: its name. `clause`: what was seen, after a colon. `note`: why, in the table of missed
    tokens. `owner`: whose it is to fix.
    """

    word: str
    clause: str
    note: str
    owner: str


CAUSE_WORDS: Mapping[Cause, CauseWords] = {
    "routing-scatter": CauseWords(
        "Routing scatter",
        "one prefix is found at times and missed at others",
        "Nothing changed and the entry was there. The residue that a key can move.",
        "platform",
    ),
    "key-churn": CauseWords(
        "Key churn",
        "a new prompt_cache_key starts with nothing to find",
        "A new key is a new route.",
        "app",
    ),
    "key-too-hot": CauseWords(
        "Key too hot",
        "one key carries more requests than one machine takes",
        "Misses in the minutes in which a key is busiest.",
        "app",
    ),
    "account-switch": CauseWords(
        "Account switch",
        "misses follow a change of the account",
        "The prompt cache is not shared across organizations.",
        "gateway",
    ),
    "fan-out-race": CauseWords(
        "Fan-out race",
        "requests start before the first has left anything to read",
        "Send one call first, then the others.",
        "app",
    ),
    "plateau": CauseWords(
        "Plateau",
        "the same read comes again while the prompt grows",
        "The prefix ends where a block changes.",
        "app",
    ),
    "mid-history-divergence": CauseWords(
        "History rewritten",
        "reads fall back to an earlier point of the conversation",
        "An edit, another order or a compaction of the history.",
        "app",
    ),
    "writes-without-reads": CauseWords(
        "Writes without reads",
        "prompts are written on every request and hardly ever read",
        "Something before the breakpoint changes on every request.",
        "app",
    ),
    "size-correlated-eviction": CauseWords(
        "Long prompts do not stay",
        "long prompts miss while shorter ones hit",
        "Long entries leave first; a key does not change that.",
        "provider side suspected",
    ),
    "cold-after-idle": CauseWords(
        "Cold after idle",
        "misses come after a pause that is longer than an entry lives",
        "Nothing was left to read; retention is the lever.",
        "app",
    ),
    "request-shape-change": CauseWords(
        "Request shape changed",
        "misses follow a change of model, effort or tier",
        "Such entries are separate; expected once per change.",
        "app",
    ),
    "gateway-arm": CauseWords(
        "Gateway",
        "the same requests hit on one way and miss on another",
        "Something on that way changes body, headers, account or region.",
        "gateway",
    ),
    "ineligible": CauseWords(
        "Not eligible",
        "requests are too short for the prompt cache, or of a batch job",
        "Nothing to fix.",
        "nobody",
    ),
    "not-reported": CauseWords(
        "Not reported",
        "cached tokens are absent, made up or zero everywhere",
        "Look at the parser and at one raw answer first.",
        "app",
    ),
    "accounting-suspect": CauseWords(
        "Counts that cannot be",
        "more cached tokens than went in",
        "The source counts tokens in another way than it says.",
        "app",
    ),
    "healthy": CauseWords(
        "No finding",
        "what was readable is read",
        "Isolated misses.",
        "nobody",
    ),
    "inconclusive": CauseWords(
        "Cannot tell",
        "no rule fits these requests",
        "More requests, or more columns, would settle it.",
        "nobody yet",
    ),
}
UNKNOWN_WORDS = CauseWords(
    "Unknown", "no rule matched", "No rule matched. Not assigned to anyone.", "nobody yet"
)
_CERTAIN = frozenset({"healthy", "inconclusive", "ineligible", "not-reported"})


def heading(cause: Cause, confidence: Confidence, *, has_keys: bool) -> str:
    """The verdict in one line; a cause is likely unless it is confirmed.

    >>> heading("routing-scatter", "likely", has_keys=False)
    'Likely routing scatter, check keys first: one prefix is found at times and missed at others'
    """
    words = CAUSE_WORDS[cause]
    keys_first = ", check keys first" if cause == "routing-scatter" and not has_keys else ""
    if confidence == "confirmed" or cause in _CERTAIN:
        return f"{words.word}{keys_first}: {words.clause}"
    name = words.word[0].lower() + words.word[1:]
    return f"{confidence.capitalize()} {name}{keys_first}: {words.clause}"
