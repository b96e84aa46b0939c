"""Where nothing could be judged, why: an answer of "nothing found" would be taken for good news."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cachewatch.analysis.explain import excluded_sentence
from cachewatch.diagnose.judging import Diagnosis
from cachewatch.diagnose.report_json import reject_place
from ingest.normalise import UsageRow

_NOTHING = "nothing could be judged"


def why_nothing_was_judged(found: Diagnosis, rows: Sequence[UsageRow]) -> str | None:
    """The reason in one sentence; None where an hour of a series counted, or there was no traffic.

    `rows` are those that `found` was made from.
    """
    if any(judged.evidence.pooled.hours for judged in found.series):
        return None
    if found.rejects and not any(map(_is_reported, rows)):
        first = found.rejects[0]
        return f"{_NOTHING}: {reject_place(first)}: {first.reason}{_and_more(found)}"
    if rows and not any(map(_is_reported, rows)):
        return (
            f"{_NOTHING}: no row reports its requests, input tokens and cached tokens together,"
            " and without these no cached share is known"
        )
    if not found.series:
        return None
    left_out: dict[str, int] = {}
    for judged in found.series:
        for reason, hours in judged.evidence.excluded.items():
            left_out[reason] = left_out.get(reason, 0) + hours
    evidence = replace(found.series[0].evidence, excluded=left_out)
    return f"{_NOTHING}: of all series, {excluded_sentence(evidence)}"


def _is_reported(row: UsageRow) -> bool:
    """Whether the row says what it used; an idle one has no cached tokens to report."""
    if row.requests is None or row.input_tokens is None:
        return False
    return row.cached_tokens is not None or row.input_tokens == 0


def _and_more(found: Diagnosis) -> str:
    more = len(found.rejects) - 1
    return f"; {more:,} more value(s) could not be read" if more else ""
