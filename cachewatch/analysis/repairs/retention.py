"""Repairs where entries expire before they are read again."""

from __future__ import annotations

from cachewatch.analysis.repairs.step import Repair, mark

_COST = Repair(
    "cost-of-cold-hours",
    "See what the cold hours cost",
    "If they hold few tokens, accept them.",
    "Multiply the input tokens of the hours after a gap by the share that linked hours reach.",
    "Under what a change is worth to you: accept with a date. Above: go on.",
)
_GAPS = Repair(
    "gaps-by-minute",
    "Look at the gaps by the minute",
    "A true gap, many workers that start at once and a single file of calls need different cures.",
    "Read 1-minute buckets around three openings after a gap.",
    "Many calls in the first minute: a herd, send one warm call first. One after the other: only "
    "the first call is cold. No gap of an entry's lifetime: it is not retention.",
)
_IN_FORCE = Repair(
    "retention-in-force",
    "Find out which retention is in force",
    "It depends on the model, on a parameter, on whether the organization retains data, and on "
    "who sells the model: the page of another provider, such as Azure, may list other lifetimes.",
    "Read the route's settings at the last hop, and the organization's data controls.",
    "Shorter than you thought: that is the repair. As long as it can be: warm calls or fewer gaps.",
)
_LONGER_BEFORE = Repair(
    "retention-24h",
    "Ask for the longer retention where the model lists it (models before GPT-5.6)",
    "In memory an entry lives 5 to 10 minutes without use, at most an hour; with 24h "
    "typically about 30 minutes, up to 24 hours. It does not carry a nightly job to the next.",
    'Set prompt_cache_retention="24h" on the route, if the model is on the list.',
    "The first hour after short gaps gets warmer; after gaps of hours it may not.",
)
_LONGER_LATER = Repair(
    "lifetime-12h",
    "Use the 12 hour lifetime only where it pays (GPT-5.6 and later)",
    "Writing for 12 hours costs 2.5 times the input price, so each write must be read at "
    "least twice.",
    "Set it for routes whose gaps are longer than 30 minutes and whose prefix comes back.",
    "At least two reads for each write: keep it. Fewer: take it back, it costs more than it saves.",
)
_BACK_TO_BACK = Repair(
    "back-to-back",
    "Run jobs back to back",
    "Two jobs on one prefix within a lifetime pay for one first call, not for two.",
    "Start the second when the first ends, or give both one queue.",
    "Fewer hours follow a gap. The jobs cannot move: warm the prefix before each.",
)
_WARM_CALL = Repair(
    "warm-call",
    "Make one warm call, wait for it, then start the workers",
    "One call that has finished warms the prefix for all that follow.",
    "Send one request, wait for its first token, then fan out. On GPT-5.6 and later a request with "
    "the option prewarm does the same without an answer.",
    "Read the first hour after a gap, not the linked hours: that is where it shows.",
)


def _keep_alive(how: str) -> Repair:
    return Repair(
        "keep-alive-arithmetic",
        "Work out whether calls that keep the entry alive would pay",
        "Each one is paid like a read, so a long gap costs more than the first call it saves.",
        how,
        "Gaps shorter than that, and the prefix long: worth it. Else let the entry expire.",
    )


# A call every 25 minutes is 2.4 reads an hour; a cold first call costs its input or write price
# instead of a read. Prices over the input price: see cache_generation.py.
_KEEP_ALIVE_BEFORE = _keep_alive(
    "With a lifetime of 30 minutes and a call every 25 minutes it costs 0.24 of the prefix an hour "
    "against 0.9 once, since writes are free: it pays below gaps of about 3.8 hours. In memory, "
    "every 4 minutes, it would pay below 0.6 hours, so never."
)
_KEEP_ALIVE_LATER = _keep_alive(
    "With a lifetime of 30 minutes and a call every 25 minutes it costs 0.24 of the prefix an hour "
    "against 1.15 once, as a write costs 1.25: it pays below gaps of about 4.8 hours. Reads of "
    "GPT-6.1 and later cost half: 0.12 an hour against 1.2, below about 10 hours."
)
_CALLS_PER_PREFIX = Repair(
    "calls-per-prefix",
    "Count the calls of each prefix in an hour",
    "Entries expire per prefix: 400 requests an hour over 300 tenants are sparse.",
    "Divide the requests of an hour by the prefixes that a log of two thousand requests shows.",
    "Less than one call in a lifetime: nothing can be read. More: it is not sparse, look for keys.",
)
_COMMON_FIRST = Repair(
    "common-part-first",
    "Put the longest common part first and the tenant's part later",
    "What all tenants share is called far more often than what each has for itself.",
    "Order the prompt: rules, tools and schema, then the tenant's text.",
    "The common part is read at the rate of all tenants together.",
)
_COLLECT = Repair(
    "collect-calls",
    "Collect calls and send them together",
    "Ten calls in a minute read what ten calls in ten hours cannot.",
    "Queue what is not urgent and send it in groups on one prefix, after one warm call.",
    "All but the first call of a group read the prefix.",
)
_OFF = Repair(
    "caching-off",
    "Switch the prompt cache off for the route unless it is read back (GPT-5.6 and later)",
    "A write costs 1.25 times the input price; reading back fewer than 0.28 tokens for each one "
    "written loses money.",
    "Set the mode explicit and send no breakpoint.",
    "The net input cost of a request falls: keep it off. It rises: the entries were read.",
)
_ACCEPT = Repair(
    "accept-until-doubled",
    "Accept it until the traffic doubles",
    "Sparse traffic repairs itself by growing.",
    "Accept with a date, and note the rate that would reopen it.",
    "On that day it is looked at again.",
)
COLD_BEFORE_GPT_5_6: tuple[Repair, ...] = (
    *(_COST, _GAPS, _IN_FORCE, _LONGER_BEFORE, _BACK_TO_BACK, _WARM_CALL, _KEEP_ALIVE_BEFORE),
    mark("retention changed or warm call shipped"),
)
COLD_GPT_5_6_AND_LATER: tuple[Repair, ...] = (
    *(_COST, _GAPS, _IN_FORCE, _LONGER_LATER, _BACK_TO_BACK, _WARM_CALL, _KEEP_ALIVE_LATER),
    mark("retention changed or warm call shipped"),
)
SPARSE_BEFORE_GPT_5_6: tuple[Repair, ...] = (
    *(_CALLS_PER_PREFIX, _IN_FORCE, _LONGER_BEFORE, _COMMON_FIRST, _COLLECT, _ACCEPT),
    mark("retention changed or prefix changed"),
)
SPARSE_GPT_5_6_AND_LATER: tuple[Repair, ...] = (
    *(_CALLS_PER_PREFIX, _IN_FORCE, _COMMON_FIRST, _COLLECT, _OFF, _LONGER_LATER, _ACCEPT),
    mark("retention changed or prefix changed"),
)
