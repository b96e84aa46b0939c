"""Where nothing could be judged, why: an answer of "nothing found" would be taken for good news."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cachewatch.analysis.explain import excluded_sentence
from cachewatch.analysis.verdict_codes import TOO_FEW
from cachewatch.diagnose.judging import Diagnosis
from cachewatch.diagnose.report_json import reject_place
from ingest.normalise import UsageRow

_NOTHING = "nothing could be judged"


def why_nothing_was_judged(found: Diagnosis, rows: Sequence[UsageRow]) -> str | None:
    """The reason in one sentence; None where a series has a verdict, or there was no traffic.

    Too few linked hours are no verdict, but the published rule, which knows nothing else to say
    of them, keeps its answer. `rows` are those that `found` was made from.
    """
    if any(judged.evidence.pooled.hours for judged in found.series):
        return _all_too_few(found)
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


def _all_too_few(found: Diagnosis) -> str | None:
    of_each = [judged.evidence for judged in found.series]
    if any(one.verdict != TOO_FEW or one.rules == "published" for one in of_each):
        return None
    most = max(of_each, key=lambda one: one.linked.hours)
    whose = "the series has" if len(of_each) == 1 else f"each of the {len(of_each):,} series has"
    best = "" if len(of_each) == 1 else "at most "
    return (
        f"{_NOTHING}: {whose} too few hours whose previous hour had traffic, "
        f"{best}{most.linked.hours} of the {most.thresholds.min_hours} that a verdict needs"
    )


def _is_reported(row: UsageRow) -> bool:
    """Whether the row says what it used; an idle one has no cached tokens to report."""
    if row.requests is None or row.input_tokens is None:
        return False
    return row.cached_tokens is not None or row.input_tokens == 0


def _and_more(found: Diagnosis) -> str:
    more = len(found.rejects) - 1
    return f"; {more:,} more value(s) could not be read" if more else ""
