"""Repairs where entries expire before they are read again."""

from __future__ import annotations

from cachewatch.analysis.repairs.step import MARK_AND_READ, Repair

_COST = Repair(
    "See what the cold hours cost",
    "If they hold few tokens, accept them.",
    "Multiply the input tokens of the hours after a gap by the share that linked hours reach.",
)
_GAPS = Repair(
    "Look at the gaps by the minute",
    "A true gap, many workers that start at once and a single file of calls need different cures.",
    "Read 1-minute buckets around three openings after a gap.",
)
_IN_FORCE = Repair(
    "Find out which retention is in force",
    "It depends on the model, on a parameter, and on whether the organization retains data.",
    "Read the route's settings at the last hop, and the organization's data controls.",
)
_WARM_CALL = Repair(
    "Run jobs back to back, or make one warm call first",
    "One call that has finished warms the prefix for all that follow.",
    "Send one request, wait for it, then start the workers. Afterwards read the first hour after "
    "a gap, not the linked hours.",
)
BEFORE_GPT_5_6: tuple[Repair, ...] = (
    _COST,
    _GAPS,
    _IN_FORCE,
    Repair(
        "Ask for the longer retention where the model lists it (models before GPT-5.6)",
        "In memory an entry lives 5 to 10 minutes without use, at most an hour; with 24h "
        "typically about 30 minutes, up to 24 hours. It does not carry a nightly job to the next.",
        'Set prompt_cache_retention="24h" on the route, if the model is on the list.',
    ),
    _WARM_CALL,
    MARK_AND_READ,
)
GPT_5_6_AND_LATER: tuple[Repair, ...] = (
    _COST,
    _GAPS,
    _IN_FORCE,
    Repair(
        "Use the 12 hour lifetime only where it pays (GPT-5.6 and later)",
        "Writing for 12 hours costs 2.5 times the input price, so each write must be read at "
        "least twice.",
        "Set it for routes whose gaps are longer than 30 minutes and whose prefix comes back.",
    ),
    _WARM_CALL,
    MARK_AND_READ,
)
