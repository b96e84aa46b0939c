"""From stored readouts to the answers about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.conf import settings

from cachewatch.analysis.readout_words import CAVEAT
from cachewatch.api import readout_shapes as shapes
from cachewatch.api.marker_rows import Names, marker_out, person
from cachewatch.api.marker_shapes import ReadoutState
from cachewatch.api.shapes import source_ref
from cachewatch.api.times import hour_start_or_none
from cachewatch.rollouts import models, presenting, queries
from cachewatch.rollouts.kinds import MARKER_WORDS, MarkerKind, Outcome
from cachewatch.verdicts.addresses import NO_NAME, series_path
from ingest.models import Series

Document = Mapping[str, Any]


def readout_out(row: models.Readout, names: Names) -> shapes.ReadoutRow:
    """A row of the list; `row` comes from the queries, with what it shows loaded."""
    return shapes.ReadoutRow(**_row_fields(row, names))


def detail_out(row: models.Readout, marker: models.Marker, names: Names) -> shapes.ReadoutDetail:
    """The page of one readout; `marker` is that of its rollout."""
    return shapes.ReadoutDetail(
        **_row_fields(row, names),
        marker=marker_out(marker, names),
        caveat=CAVEAT,
        numbers=None if row.document is None else _numbers(row.document, names),
        changes=[_change(one) for one in queries.readout_changes(row)],
        markdown=presenting.markdown(row, f"{settings.PUBLIC_URL}{_path(row)}"),
    )


def _row_fields(row: models.Readout, names: Names) -> dict[str, Any]:
    series, marker = row.series, row.rollout.marker
    return {
        "id": row.pk,
        "rollout_id": row.rollout_id,
        "marker_id": marker.pk,
        "kind": cast("MarkerKind", marker.kind),
        "kind_word": MARKER_WORDS[marker.kind],
        "at": marker.starts_at,
        "until": marker.ends_at,
        "source": source_ref(series.source),
        "series_id": series.pk,
        "project_id": series.project_id,
        "project_name": _project_name(series, names),
        "model": series.model,
        "series_name": _series_name(series, names),
        "series_path": series_path(series),
        "path": _path(row),
        "state": cast("ReadoutState", row.state),
        "state_word": presenting.state_word(row.state),
        "is_claim": presenting.is_claim(row.state),
        "heading": presenting.heading(row),
        "missing": None if row.document is None else row.document["missing"],
        "net_change": row.net_change,
        "measured_at": row.measured_at,
        "complete_to": hour_start_or_none(row.settled_hour),
        "data_version": row.data_version,
        "problem": row.problem or None,
        "decision": _decision(row),
        "late": _late(row),
    }


def _path(row: models.Readout) -> str:
    return f"/readouts/{row.pk}"


def _project_name(series: Series, names: Names) -> str:
    if series.project_id is None:
        return NO_NAME
    return names.get((series.source_id, series.project_id), series.project_id)


def _series_name(series: Series, names: Names) -> str:
    return f"{_project_name(series, names)} / {series.model or NO_NAME}"


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


def _numbers(document: Document, names: Names) -> shapes.ReadoutNumbers:
    texts = document["texts"]
    return shapes.ReadoutNumbers(
        kind=document["kind"],
        reasons=document["reasons"],
        reason_sentences=texts["reasons"],
        windows=shapes.ReadoutWindows.model_validate(document["windows"]),
        primary=document["primary"],
        measures=[_measure(one) for one in presenting.rows_of(document)],
        checks=[shapes.ReadoutCheck.model_validate(one) for one in document["checks"]],
        controls=_controls(document, names),
        placebo=document["placebo"],
        placebo_sentence=texts["placebo"],
        net_change=shapes.NetChange.model_validate(document["net_change"]),
        minimum_effect=document["minimum_effect"],
        minimum_detectable=document["minimum_detectable"],
        detectable_sentence=texts["detectable"],
        looks=[shapes.ReadoutLook.model_validate(one) for one in document["looks"]],
        low_days=document["low_days"],
        others=document["others"],
        value=document["value"],
        value_sentence=texts["value"],
    )


def _measure(row: presenting.MeasureRow) -> shapes.MeasureReading:
    one = row.reading
    return shapes.MeasureReading(
        name=one.name,
        label=row.label,
        before=shapes.Side(
            value=one.before,
            numerator=one.before_numerator,
            denominator=one.before_denominator,
            hours=one.before_hours,
            text=row.before_text,
            under=row.before_under,
        ),
        after=shapes.Side(
            value=one.after,
            numerator=one.after_numerator,
            denominator=one.after_denominator,
            hours=one.after_hours,
            text=row.after_text,
            under=row.after_under,
        ),
        expected=one.expected,
        change=one.change,
        change_text=row.change_text,
        interval=one.interval,
        interval_text=row.interval_text,
        direction=one.direction,
        direction_word=row.expected_text,
        reading=one.reading,
        reading_word=row.reading_text,
    )


def _controls(document: Document, names: Names) -> shapes.ReadoutControls:
    stored = {one["series_id"]: one for one in document["controls"]}
    series = Series.objects.filter(pk__in=stored).select_related("source").in_bulk()
    return shapes.ReadoutControls(
        change=document["control"]["change"],
        interval=document["control"]["interval"],
        series=[
            shapes.ControlSeries(
                **one,
                series_name=_series_name(series[pk], names),
                series_path=series_path(series[pk]),
            )
            for pk, one in stored.items()
            if pk in series
        ],
        sentence=document["texts"]["controls"],
    )
