"""Hours that are not in the files or whose rows could not be read: unknown, and no silence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cachewatch.analysis.readouts.result import Missing, Readout
from cachewatch.diagnose.doubt import doubtful_hours
from cachewatch.diagnose.judging import hours_read
from cachewatch.diagnose.readout.asking import Target
from cachewatch.diagnose.report_json import reject_place
from ingest.normalise import HourlyUsage, RejectedValue, UsageRow

SHOWN_REJECTS = 5
ROWS_NOT_READ = "rows-not-read"
STOPPED = "traffic-stopped"
# Reasons that take hours without numbers for hours without traffic, by the window they speak of.
_BEFORE = ("no-traffic-before", "few-hours-before", "cached-not-reported", "no-gaps-before")
_AFTER = (STOPPED, "few-hours-after", "after-days")


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


def with_unread(found: Readout, usage: HourlyUsage, target: Target) -> Readout:
    """The readout; where it would blame traffic for hours that are not known, it says that.

    Hours that the files lack are waited for, as those that a source has not read yet; rows that
    are there and cannot be read are not.
    """
    window, waits = _blamed(found, usage, target)
    unread = unread_hours(usage, target).intersection(window)
    lacking = set(window).difference(hours_read(usage))
    if not unread | lacking:
        return found
    again = found.missing.by_hour if found.missing else None
    read = float(len(window) - len(unread | lacking))
    if unread:
        missing = Missing(ROWS_NOT_READ, read, float(len(window)), again)
        return replace(found, reasons=(ROWS_NOT_READ,), missing=missing)
    missing = Missing(waits, read, float(len(window)), again)
    return replace(found, state="collecting", reasons=(waits,), missing=missing)


def _blamed(found: Readout, usage: HourlyUsage, target: Target) -> tuple[range, str]:
    """The hours whose silence is the reason, none where there is another; what waits for them."""
    reason, spans = found.reasons[0] if found.reasons else "", found.spans
    if reason in _BEFORE:
        return range(spans.before_start, spans.before_end), "hours-to-read"
    if reason == STOPPED:
        last = _last_traffic(usage, target, spans.after_end)
        return range(max(spans.after_start, last + 1), spans.after_end), "hours-after-to-read"
    if reason in _AFTER and found.looks:
        return range(spans.after_start, spans.after_end), "hours-after-to-read"
    return range(0), ""


def _last_traffic(usage: HourlyUsage, target: Target, end: int) -> int:
    """The last hour before `end` in which the target had some, 0 for none."""
    hours = (
        row.hour
        for row in usage.rows
        if target.holds(row) and row.hour < end and (row.requests or row.input_tokens)
    )
    return max(hours, default=0)


def _may_be_of(reject: RejectedValue, target: Target) -> bool:
    return target.project_id is None or target.project_id in reject.dimensions


def _lacks_numbers(row: UsageRow) -> bool:
    return None in (row.requests, row.input_tokens, row.cached_tokens)
