"""What to do where there is nothing to repair."""

from __future__ import annotations

from cachewatch.analysis.repairs.step import COMPARE_BODIES, PROBE, Repair, mark

_STATIC_TOKENS = Repair(
    "record-static-tokens",
    "Record the static tokens of the prompt",
    "They set the ceiling: a share far under it is worth a look even without a finding.",
    "Count the tokens up to the first part that changes between requests.",
    "Within 10 points of the ceiling: nothing to do. Far under it: probe the route.",
)
RISES_BEFORE_GPT_5_6: tuple[Repair, ...] = (
    Repair(
        "keep-busy-share",
        "Keep the busy share as the level to watch",
        "It shows the share this prefix can reach; a later fall will stand out against it.",
        "Hold the busy share against the static part of the prompt.",
        "Within 10 points of the ceiling: nothing to change. If it is far under the static part, "
        "many prefixes share this series: count them before anything else.",
    ),
    Repair(
        "count-prefixes",
        "Count the prefixes, where the busy share is far under the ceiling",
        "Many prefixes keep each other from being read while few calls come.",
        "Hash the first 1,024 tokens of two thousand requests in a log.",
        "Few prefixes: a key for each request is likely where all hours are below 20%. Many: a "
        "longer lifetime or a longer common part helps; more keys would lower the quiet hours.",
    ),
    Repair(
        "wait-a-week",
        "Wait a week where the series is new",
        "Traffic that is still growing raises the share by itself.",
        "Read it again after seven service days.",
        "It levels off near the ceiling: done.",
    ),
)
RISES_GPT_5_6_AND_LATER: tuple[Repair, ...] = (
    *RISES_BEFORE_GPT_5_6,
    Repair(
        "writes-fall-with-load",
        "See whether prompt cache writes fall with load (GPT-5.6 and later)",
        "Where traffic itself keeps the prefix warm, less is written the more is read.",
        "Divide the tokens written to the prompt cache by input tokens in the quiet and in the busy "
        "hours.",
        "The written part falls: the wanted shape. It does not: each request writes text that "
        "nobody reads again; put a breakpoint after the static part.",
    ),
)
_LOAD_FLAT = (
    Repair(
        "judge-the-level",
        "Judge the level instead",
        "A load that does not vary says nothing about load.",
        "Compare the share with the static part of the prompt, with its own best day and with the "
        "same template elsewhere.",
        "Near its ceiling: the level is fine. Far under it: treat it as a low share.",
    ),
    Repair(
        "busy-day-by-minute",
        "See whether the load varies inside the hour",
        "Hours of equal load can hold minutes that differ twofold.",
        "Read 1-minute buckets of one day.",
        "The minutes vary twofold: test the fall there. They do not: an experiment is needed.",
    ),
    Repair(
        "ship-to-a-part",
        "Try it on a part of the units under its own API key",
        "Two cells side by side need no load that varies.",
        "Give 20% of templates or tenants the key or the breakpoint.",
        "The part's share is higher on the same days: ship it to all.",
    ),
    PROBE,
)
LOAD_FLAT_BEFORE_GPT_5_6: tuple[Repair, ...] = (*_LOAD_FLAT, mark("key shipped"))
LOAD_FLAT_GPT_5_6_AND_LATER: tuple[Repair, ...] = (*_LOAD_FLAT, mark("breakpoint changed"))
TOO_FEW: tuple[Repair, ...] = (
    Repair(
        "wait-or-look-closer",
        "Wait, or look closer than an hour",
        "A verdict about load needs a run of hours with traffic.",
        "For a daily job read 1-minute buckets or request logs; join the snapshots of one model.",
        "Enough linked hours: a verdict follows by itself. A job that never has them: judge it by "
        "its minutes.",
    ),
    Repair(
        "mute-small",
        "Leave it where the money is small",
        "A series of a few dollars a month is not worth a measurement.",
        "Look at its input cost of a month.",
        "Under $25 a month: accept it. Above: import request logs.",
    ),
)
HEALTHY: tuple[Repair, ...] = (
    _STATIC_TOKENS,
    Repair(
        "compare-own-best",
        "Compare with its own best level",
        "A share 15 points under what it has reached before has lost something.",
        "Read its best day of the last 28.",
        "Close to it: nothing to do. Far under it: treat it as a low share.",
    ),
    Repair(
        "keep-level",
        "Keep the level to hold later weeks against",
        "A later fall is seen the sooner, the better the level before it is known.",
        "Write the share and the static tokens into the team's note.",
        "It stays within 15 points of that level: nothing to do. It falls by more: see what changed "
        "on that day.",
    ),
)
LOW: tuple[Repair, ...] = (PROBE, COMPARE_BODIES)
NEAR: tuple[Repair, ...] = (
    Repair(
        "watch-7-days",
        "Watch it for 7 days",
        "One number is close to where a finding starts.",
        "Look at the verdict again in a week; it is taken anew every hour.",
        "It becomes a finding by itself where the number passes; else the flag goes away.",
    ),
)
