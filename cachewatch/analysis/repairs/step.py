"""One step of a repair list, and the steps that several lists share."""

from __future__ import annotations

from typing import NamedTuple


class Repair(NamedTuple):
    """One step: what to do, why, and how."""

    step: str
    why: str
    how: str


PROBE = Repair(
    "Probe the route with two pairs of calls",
    "It separates a prompt that changes from requests that land apart.",
    "Send one request twice, then the same static part with a new last message. Read the cached "
    "tokens of the second call of each pair. Both hit: the prompt is stable, look at the keys "
    "that are sent. Only the identical pair hits: the shared part is not found on its own. Neither hits: "
    "the bytes differ, a setting differs, or the prompt is below the minimum.",
)
COMPARE_BODIES = Repair(
    "Compare two real request bodies byte by byte",
    "The first difference ends the shared prefix; everything after it is paid in full.",
    "Record the bodies at the last hop before the provider. Look for a time, an id, a user's "
    "name, the order of JSON keys or tools, and retrieved text placed before the rules.",
)
MARK_AND_READ = Repair(
    "Mark the change and read the result two service days later",
    "Without the time of the change nobody can tell the repair from a quiet week.",
    "Note the time it reached all traffic and what kind of change it was. Then compare the same "
    "loads before and after, and the net input cost of a request beside the share.",
)
