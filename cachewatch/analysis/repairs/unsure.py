"""Where the numbers do not decide: the measurement that would."""

from __future__ import annotations

from cachewatch.analysis.repairs.step import COUNT_PREFIXES, DECIDE, PROBE, SPLIT_KEY, Repair, mark

INCONCLUSIVE: tuple[Repair, ...] = (
    Repair(
        "name-two-causes",
        "Name the causes that are still open, and the one measurement between them",
        "The controls list which causes are ruled out and what would settle the others.",
        "Take the first cause that is open and do what stands beside it.",
        "It is ruled out or confirmed: the list gets shorter by one.",
    ),
    Repair(
        "busy-day-by-minute",
        "Read one busy day by the minute",
        "Within the same hour, busier minutes that read less show requests that leave their "
        "machine; bursts whose first minute is cold show workers that start together.",
        "Run cachewatch diagnose with the minutes of that project and model.",
        "Busier minutes read less: treat it as a fall with load. Only first minutes are cold: one "
        "warm call. Neither: other traffic or the clock.",
    ),
    SPLIT_KEY,
    Repair(
        "log-two-thousand",
        "Log two thousand requests",
        "They count the prefixes, and show which ones miss.",
        "Write down time, a hash of the key, a hash of the first 1,024 tokens, the session, and "
        "input, cached and written tokens.",
        "Misses on a prefix seen minutes before: it did not expire, look at the keys and at what "
        "starts together. Misses on first sight: many prefixes.",
    ),
    PROBE,
    DECIDE,
)
MANY_PREFIXES: tuple[Repair, ...] = (
    COUNT_PREFIXES,
    Repair(
        "common-part-first",
        "Put what all prefixes share first, and the tenant's part last and shorter",
        "What all share is read at the rate of all of them together, so it does not expire.",
        "Order the prompt: rules, tools and schema, then the tenant's text.",
        "The busy share rises: the prefixes were too many for their calls. It stays: judge again, "
        "they were not the cause.",
    ),
    *(one for one in INCONCLUSIVE[1:] if one is not DECIDE),
    mark("prefix changed"),
    DECIDE,
)
WRITES_NOT_READ: tuple[Repair, ...] = (
    Repair(
        "read-back-ratio",
        "Hold reads against writes (GPT-5.6 and later)",
        "Reading back fewer than 0.28 tokens for each one written for 30 minutes, or 1.67 for 12 "
        "hours, costs more than no prompt cache.",
        "Divide cached tokens by tokens written, over a whole day.",
        "Above the limit: it pays, leave it. Below: go on.",
    ),
    Repair(
        "last-breakpoint",
        "See where the last breakpoint stands (GPT-5.6 and later)",
        "A breakpoint inside changing text writes a prefix that nobody reads again.",
        "Move it to the end of the static part: the developer message with rules and tools ends "
        "with prompt_cache_breakpoint. On one-shot routes allow explicit breakpoints only.",
        "Fewer tokens are written and more are read: done.",
    ),
    Repair(
        "volatile-before-breakpoint",
        "Look for a time, an id or a memory block before the breakpoint (GPT-5.6 and later)",
        "What differs in front of it makes every entry a new one.",
        "Compare two real bodies up to the marker.",
        "A difference in front of it: move it behind. None: the entries expire, look at the gaps.",
    ),
    Repair(
        "agent-loops",
        "In agent loops, expect the last write of a run to be lost (GPT-5.6 and later)",
        "Nothing reads it; that alone is no fault.",
        "Count reads for each write over whole runs.",
        "All but the last write of a run are read: nothing to repair. Others are not: the history "
        "is rewritten between turns.",
    ),
    Repair(
        "caching-off",
        "If it stays low for three days, switch the prompt cache off for that route (GPT-5.6 and "
        "later)",
        "A write costs 1.25 times the input price for 30 minutes and 2.5 times for 12 hours.",
        "Use explicit mode without a marker.",
        "Prove it by the net input cost of a request, not by the share.",
    ),
    mark("write repair shipped")._replace(key="mark-write-repair"),
)
