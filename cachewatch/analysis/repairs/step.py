"""One step of a repair list, and the steps that several lists share."""

from __future__ import annotations

from typing import NamedTuple


class Repair(NamedTuple):
    """One step.

    Attributes:
        key: names the step for good: a tick is stored by it, also where the words change.
        step: what to do.
        why: what it is good for.
        how: how it is done; samples.py holds the code of some.
        result: what its outcome means, and what to do then.

    """

    key: str
    step: str
    why: str
    how: str
    result: str


PROBE = Repair(
    "probe-pair",
    "Probe the route with two pairs of calls",
    "It separates a prompt that changes from requests that land apart.",
    "Send one request twice, then the same static part with a new last message. Read the cached "
    "tokens of the second call of each pair.",
    "Both hit: the prompt is stable, look at the keys that are sent. Only the identical pair hits: "
    "the shared part is not found on its own. Neither hits: the bytes differ, a setting differs, "
    "or the prompt is below the minimum.",
)
COMPARE_BODIES = Repair(
    "compare-bodies",
    "Compare two real request bodies byte by byte",
    "The first difference ends the shared prefix; everything after it is paid in full.",
    "Record the bodies at the last hop before the provider. Look for a time, an id, a user's "
    "name, the order of JSON keys or tools, and retrieved text placed before the rules.",
    "A difference early in the body is the cause: move it behind the static part. None before the "
    "user's own words: the prompt is stable, go on with the next step.",
)
SPLIT_KEY = Repair(
    "split-api-key",
    "Split the API key",
    "Two templates under one key look like one that falls with load.",
    "Give each template or job its own, and read the parts after two service days.",
    "A part that still falls alone is the one to repair. No part falls: it was the mix.",
)

COUNT_PREFIXES = Repair(
    "count-prefixes",
    "Count the prefixes of one busy hour",
    "Many prefixes that expire between their requests read less under load too, and neither a key "
    "nor a breakpoint repairs that.",
    "Hash the first 1,024 tokens of two thousand requests in a log.",
    "If each prefix comes less often than once in an entry's lifetime, put the part that all share "
    "first and the tenant's part last, then judge again.",
)

# Whoever has done or skipped it has reviewed a series that cannot be told (worklist/attention.py).
DECIDE = Repair(
    "decide-by-a-date",
    "Decide by a date, with a name beside it",
    "An open question that nobody owns stays open.",
    "Note who looks at it and when.",
    "On that day it is a finding, accepted, or closed.",
)


def mark(kind: str) -> Repair:
    """The last step of every list that changes something; `kind` is that of the marker."""
    return Repair(
        "mark-and-read",
        "Mark the change and read the result two service days later",
        "Without the time of the change nobody can tell the repair from a quiet week.",
        f'Mark it as "{kind}" with the time it reached all traffic. Then compare the same loads '
        "before and after, and the net input cost of a request beside the share.",
        "Improved, and the net input cost of a request is not higher: resolve the finding. No "
        "detectable change: take it back and look at single requests. Worse: take it back at once.",
    )
