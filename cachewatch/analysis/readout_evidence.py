"""A readout as Markdown for a ticket: metric, windows, hours, interval, caveat, address."""

from __future__ import annotations

from collections.abc import Iterator

from cachewatch.analysis import readout_words as words
from cachewatch.analysis.explain import hour_words
from cachewatch.analysis.readout_measure_words import (
    DIRECTION_WORDS,
    MEASURE_WORDS,
    READING_WORDS,
    change_text,
    interval_text,
    side_text,
    value_text,
)
from cachewatch.analysis.readouts.result import MeasureReading, Readout

_HEAD = "| measure | before | after | change | 90% interval | expected | reading |"


def evidence_markdown(readout: Readout, series: str, permalink: str | None) -> str:
    """What "copy as evidence" puts on the clipboard; `series` as shown, the same digits as JSON."""
    return "\n".join(_lines(readout, series, permalink))


def _lines(readout: Readout, series: str, permalink: str | None) -> Iterator[str]:
    spans = readout.spans
    yield f"**{series}: {words.state_word(readout.state)}.** {words.heading(readout)}"
    yield ""
    yield (
        f"Before {hour_words(spans.before_start)} to {hour_words(spans.before_end)} UTC, after "
        f"{hour_words(spans.after_start)} to {hour_words(spans.after_end)} UTC. Changes of a share "
        f"are points at equal load."
    )
    yield ""
    yield _HEAD
    yield "|---|---|---|---|---|---|---|"
    for measure in readout.measures:
        yield _row(measure)
    yield ""
    for sentence in (*words.reason_sentences(readout), *_beside(readout)):
        yield f"- {sentence}"
    yield ""
    yield words.CAVEAT
    if permalink:
        yield permalink


def _beside(readout: Readout) -> Iterator[str]:
    if not readout.looks:
        return
    yield words.controls_sentence(readout)
    for text in (words.placebo_sentence(readout), words.detectable_sentence(readout)):
        if text:
            yield text


def _row(measure: MeasureReading) -> str:
    before, after = (
        f"{value_text(measure.name, value)} ({side_text(measure, after=late)})"
        for value, late in ((measure.before, False), (measure.after, True))
    )
    cells = (
        MEASURE_WORDS[measure.name],
        before,
        after,
        change_text(measure.name, measure.change),
        interval_text(measure.name, measure.interval),
        DIRECTION_WORDS[measure.direction],
        READING_WORDS[measure.reading],
    )
    return f"| {' | '.join(cells)} |"
