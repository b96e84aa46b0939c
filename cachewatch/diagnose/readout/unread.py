"""Hours whose rows could not be read: what was used in them is unknown, and no silence."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from cachewatch.analysis.readouts.result import Missing, Readout
from cachewatch.diagnose.doubt import doubtful_hours
from cachewatch.diagnose.readout.asking import Target
from cachewatch.diagnose.report_json import reject_place
from ingest.normalise import HourlyUsage, RejectedValue, UsageRow

SHOWN_REJECTS = 5
ROWS_NOT_READ = "rows-not-read"
# Reasons that take hours without numbers for hours without traffic, by the window they speak of.
_BEFORE = ("no-traffic-before", "few-hours-before", "cached-not-reported", "no-gaps-before")
_AFTER = ("traffic-stopped", "few-hours-after", "after-days")


def reject_lines(usage: HourlyUsage) -> Iterator[str]:
    """What could not be read, a line each; the first few, and how many more."""
    for one in usage.rejects[:SHOWN_REJECTS]:
        yield f"not read: {reject_place(one)}: {one.reason}"
    more = len(usage.rejects) - SHOWN_REJECTS
    if more > 0:
        yield f"not read: {more:,} more value(s)"


def unread_hours(usage: HourlyUsage, target: Target) -> set[int]:
    """Hours in which a row of the target, or one that may be of it, could not be read."""
    rejected = {one.hour for one in usage.rejects if _may_be_of(one, target)}
    lacking = {row.hour for row in usage.rows if target.holds(row) and _lacks_numbers(row)}
    unplaced = doubtful_hours(usage, [(target.project_id, target.model)])[0]
    return lacking & rejected | unplaced


def with_unread(found: Readout, unread: Collection[int]) -> Readout:
    """The readout; where it would blame traffic for hours that could not be read, it says that."""
    reason = found.reasons[0] if found.reasons else ""
    spans = found.spans
    if reason in _BEFORE:
        window = range(spans.before_start, spans.before_end)
    elif reason in _AFTER and found.looks:
        window = range(spans.after_start, spans.after_end)
    else:
        return found
    lost = len(set(window).intersection(unread))
    if not lost:
        return found
    again = found.missing.by_hour if found.missing else None
    missing = Missing(ROWS_NOT_READ, float(len(window) - lost), float(len(window)), again)
    return replace(found, reasons=(ROWS_NOT_READ,), missing=missing)


def _may_be_of(reject: RejectedValue, target: Target) -> bool:
    return target.project_id is None or target.project_id in reject.dimensions


def _lacks_numbers(row: UsageRow) -> bool:
    return None in (row.requests, row.input_tokens, row.cached_tokens)
