"""From the stored document of a readout to the answer about its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cachewatch.api import readout_number_shapes as shapes
from cachewatch.api.marker_rows import Names, series_name
from cachewatch.rollouts import presenting
from cachewatch.verdicts.addresses import series_path
from ingest.models import Series

Document = Mapping[str, Any]


def primary_out(document: Document) -> shapes.MeasureReading | None:
    """The measure that gives the word; None where it was not taken."""
    for row in presenting.rows_of(document):
        if row.reading.name == document["primary"]:
            return _measure(row)
    return None


def numbers_out(document: Document, names: Names) -> shapes.ReadoutNumbers:
    """The whole measurement, with its controls by their present names."""
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
        value_sentence=presenting.value_text(document),
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
                series_name=series_name(series[pk], names),
                series_path=series_path(series[pk]),
            )
            for pk, one in stored.items()
            if pk in series
        ],
        sentence=document["texts"]["controls"],
    )
