"""The readout for people, and as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterator

from cachewatch.analysis import readout_words as words
from cachewatch.analysis.explain import hour_words
from cachewatch.analysis.readout_json import as_json
from cachewatch.analysis.readouts.result import Readout
from cachewatch.analysis.readouts.windows import Spans
from cachewatch.diagnose.judging import hours_read
from cachewatch.diagnose.readout.asking import Target
from cachewatch.diagnose.report_text import shown_id
from ingest.normalise import HourlyUsage


def document(readout: Readout, target: Target) -> str:
    """The whole document, in plain ASCII so that any terminal and pipe can carry it."""
    return json.dumps(as_json(readout, target.project_id, target.model), indent=1, allow_nan=False)


def text(readout: Readout, target: Target, usage: HourlyUsage) -> str:
    """The whole report; of the usage, it names the target's only model and where the files begin."""
    return "\n".join(_lines(readout, target, usage))


def _lines(readout: Readout, target: Target, usage: HourlyUsage) -> Iterator[str]:
    name = f"{shown_id(target.project_id)} / {_models(target, usage)}"
    yield f"{name}: {words.state_word(readout.state)}"
    yield words.heading(readout)
    yield words.CAVEAT
    spans = readout.spans
    yield (
        f"Before {_start(spans, usage)} to {hour_words(spans.before_end)}, "
        f"after {hour_words(spans.after_start)} to {hour_words(spans.after_end)} UTC"
    )
    for reason in words.reason_sentences(readout):
        yield f"    {reason}"
    for measure in readout.measures:
        yield f"    {words.measure_sentence(measure)}"
    if readout.looks:
        yield from _beside(readout)


def _models(target: Target, usage: HourlyUsage) -> str:
    if target.model is not None:
        return shown_id(target.model)
    models = {row.model for row in usage.rows if target.holds(row)}
    return shown_id(*models) if len(models) == 1 else "all models"


def _start(spans: Spans, usage: HourlyUsage) -> str:
    """Where the hours before begin: with the files where these reach back less far."""
    first = min(hours_read(usage), default=spans.before_start)
    if not spans.before_start < first < spans.before_end:
        return hour_words(spans.before_start)
    return f"{hour_words(first)} (where the files begin)"


def _beside(readout: Readout) -> Iterator[str]:
    """Checks, controls, fake markers, what would have been seen, value."""
    blocking = set(readout.reasons)
    for check in readout.checks:
        if check.name not in blocking:
            sign = words.CHECK_WORDS[check.ok]
            yield f"    check, {sign}: {words.check_sentence(check, readout.primary)}"
    yield f"    {words.controls_sentence(readout)}"
    for sentence in (words.placebo_sentence(readout), words.detectable_sentence(readout)):
        if sentence:
            yield f"    {sentence}"
    yield f"    {words.value_sentence(readout)}"
