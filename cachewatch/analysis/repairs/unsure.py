"""Where the numbers do not decide: the measurement that would."""

from __future__ import annotations

from cachewatch.analysis.repairs.step import PROBE, Repair

INCONCLUSIVE: tuple[Repair, ...] = (
    Repair(
        "Name the causes that are still open, and the one measurement between them",
        "The controls list which causes are ruled out and what would settle the others.",
        "Take the first cause that is open and do what stands beside it.",
    ),
    Repair(
        "Read one busy day by the minute",
        "Within the same hour, busier minutes that read less show requests that leave their "
        "machine; bursts whose first minute is cold show workers that start together.",
        "Run cachewatch diagnose with the minutes of that project and model.",
    ),
    Repair(
        "Split the API key",
        "Two templates under one key look like one that falls with load.",
        "Give each template or job its own, and read the parts after two service days.",
    ),
    Repair(
        "Log two thousand requests",
        "They count the prefixes, and show which ones miss.",
        "Write down time, a hash of the key, a hash of the first 1,024 tokens, the session, and "
        "input, cached and written tokens.",
    ),
    PROBE,
    Repair(
        "Decide by a date, with a name beside it",
        "An open question that nobody owns stays open.",
        "Note who looks at it and when.",
    ),
)
WRITES_NOT_READ: tuple[Repair, ...] = (
    Repair(
        "See where the last breakpoint stands (GPT-5.6 and later)",
        "A breakpoint inside changing text writes a prefix that nobody reads again.",
        "Move it to the end of the static part: the developer message with rules and tools ends "
        "with prompt_cache_breakpoint. On one-shot routes allow explicit breakpoints only.",
    ),
    Repair(
        "Look for a time, an id or a memory block before the breakpoint (GPT-5.6 and later)",
        "What differs in front of it makes every entry a new one.",
        "Compare two real bodies up to the marker.",
    ),
    Repair(
        "In agent loops, expect the last write of a run to be lost (GPT-5.6 and later)",
        "Nothing reads it; that alone is no fault.",
        "Count reads for each write over whole runs.",
    ),
    Repair(
        "If it stays low for three days, switch the prompt cache off for that route (GPT-5.6 and later)",
        "A write costs 1.25 times the input price for 30 minutes and 2.5 times for 12 hours: "
        "reading back fewer than 0.28 or 1.67 tokens for each one written loses money.",
        "Use explicit mode without a marker, and prove it by the net input cost of a request.",
    ),
)
