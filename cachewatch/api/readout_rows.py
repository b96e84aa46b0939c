"""From stored readouts to the answers about them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django.conf import settings

from cachewatch.accounts.access import Access
from cachewatch.analysis.readout_words import CAVEAT
from cachewatch.api import readout_shapes as shapes
from cachewatch.api.marker_rows import (
    Names,
    marker_out,
    particulars_out,
    person,
    project_name,
    series_name,
)
from cachewatch.api.marker_shapes import ReadoutState
from cachewatch.api.readout_numbers import numbers_out, primary_out
from cachewatch.api.shapes import source_ref
from cachewatch.api.times import hour_start_or_none
from cachewatch.rollouts import models, presenting, queries
from cachewatch.rollouts.kinds import MARKER_WORDS, MarkerKind, Outcome
from cachewatch.verdicts.addresses import series_path


@dataclass(frozen=True)
class Shown:
    """What an answer about readouts depends on beside them: names, who asks, and when."""

    names: Names
    caller: Access
    now: datetime


def readout_out(row: models.Readout, shown: Shown) -> shapes.ReadoutRow:
    """A row of the list; `row` comes from the queries, with what it shows loaded."""
    return shapes.ReadoutRow(**_row_fields(row, shown))


def detail_out(row: models.Readout, marker: models.Marker, shown: Shown) -> shapes.ReadoutDetail:
    """The page of one readout; `marker` is that of its rollout."""
    return shapes.ReadoutDetail(
        **_row_fields(row, shown),
        marker=marker_out(marker, shown.names),
        caveat=CAVEAT,
        numbers=None if row.document is None else numbers_out(row.document, shown.names),
        changes=[_change(one) for one in queries.readout_changes(row)],
        markdown=presenting.markdown(row, f"{settings.PUBLIC_URL}{_path(row)}"),
    )


def state_counts(counts: dict[str, int]) -> list[shapes.StateCount]:
    """Every state with how many readouts have it, in the order of the filter."""
    return [
        shapes.StateCount(
            state=state, word=presenting.state_word(state), count=counts.get(state, 0)
        )
        for state in queries.STATE_ORDER
    ]


def _row_fields(row: models.Readout, shown: Shown) -> dict[str, Any]:
    may = shown.caller.allows("annotate", row.series.source_id)
    return {
        "id": row.pk,
        "path": _path(row),
        **_marker_fields(row.rollout, shown.now),
        **_series_fields(row, shown.names),
        **_state_fields(row),
        "measured_at": row.measured_at,
        "complete_to": hour_start_or_none(row.settled_hour),
        "data_version": row.data_version,
        "version": presenting.version_of(row),
        "problem": row.problem or None,
        "decision": _decision(row),
        "late": _late(row),
        "can": shapes.ReadoutAbilities(annotate=may),
    }


def _marker_fields(rollout: models.Rollout, now: datetime) -> dict[str, Any]:
    marker = rollout.marker
    return {
        "rollout_id": rollout.pk,
        "marker_id": marker.pk,
        "kind": cast("MarkerKind", marker.kind),
        "kind_word": MARKER_WORDS[marker.kind],
        "at": marker.starts_at,
        "until": marker.ends_at,
        "days_since": (now - marker.starts_at).days,
        "link": marker.link,
        "particulars": particulars_out(rollout),
    }


def _series_fields(row: models.Readout, names: Names) -> dict[str, Any]:
    series = row.series
    return {
        "source": source_ref(series.source),
        "series_id": series.pk,
        "project_id": series.project_id,
        "project_name": project_name(series, names),
        "model": series.model,
        "series_name": series_name(series, names),
        "series_path": series_path(series),
    }


def _state_fields(row: models.Readout) -> dict[str, Any]:
    document = row.document
    return {
        "state": cast("ReadoutState", row.state),
        "state_word": presenting.state_word(row.state),
        "is_claim": presenting.is_claim(row.state),
        "heading": presenting.heading(row),
        "reasons": [] if document is None else document["reasons"],
        "reason_sentences": [] if document is None else document["texts"]["reasons"],
        "missing": None if document is None else document["missing"],
        # A document of before these numbers were kept is measured again within the hour.
        "missing_numbers": None if document is None else document.get("missing_numbers"),
        "primary": None if document is None else primary_out(document),
        "net_change": row.net_change,
    }


def _path(row: models.Readout) -> str:
    return f"/readouts/{row.pk}"


def _decision(row: models.Readout) -> shapes.Decision | None:
    if not row.outcome or row.decided_at is None:
        return None
    return shapes.Decision(
        outcome=cast("Outcome", row.outcome),
        outcome_word=presenting.OUTCOME_WORDS[row.outcome],
        reason=row.reason,
        by=person(row.decided_by),
        at=row.decided_at,
    )


def _late(row: models.Readout) -> shapes.LateReading | None:
    sentence = presenting.late_sentence(row)
    if sentence is None or row.late_at is None:
        return None
    return shapes.LateReading(
        state=cast("ReadoutState", row.late_state),
        state_word=presenting.state_word(row.late_state),
        sentence=sentence,
        at=row.late_at,
    )


def _change(row: models.ReadoutChange) -> shapes.ReadoutChange:
    return shapes.ReadoutChange(
        action=cast("Any", row.action),
        state=cast("ReadoutState", row.state),
        state_word=presenting.state_word(row.state),
        outcome=cast("Outcome", row.outcome),
        outcome_word=presenting.OUTCOME_WORDS[row.outcome],
        reason=row.reason,
        data_version=row.data_version,
        by=person(row.by),
        at=row.at,
    )
