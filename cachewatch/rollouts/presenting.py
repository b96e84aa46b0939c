"""A stored readout as pages show it: the numbers of its document, and the words made from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from cachewatch.analysis import readout_measure_words as measure_words
from cachewatch.analysis import readout_words as words
from cachewatch.analysis.readouts.kinds import MEASURES
from cachewatch.analysis.readouts.result import DEFINITE, STATES, MeasureReading
from cachewatch.rollouts.kinds import MARKER_WORDS
from cachewatch.rollouts.models import Readout

Document = Mapping[str, Any]
OUTCOME_WORDS: Mapping[str, str] = {
    "works": "Works",
    "does-not-work": "Does not work",
    "inconclusive": "Inconclusive",
}
VERSION_LENGTH = 16
NOT_MEASURED = "Not measured yet; it will be within a minute of the next settled hour"
# The names of numerator and denominator in the document; "of" for shares.
_COUNTED: Mapping[str, tuple[str, str]] = {
    "cached_per_request": ("cached", "requests"),
    "input_cost_per_request": ("usd", "requests"),
}
_OF_SHARES = ("cached", "input")


class MeasureRow(NamedTuple):
    """One measure: its numbers, and every text of its row."""

    reading: MeasureReading
    label: str
    before_text: str
    before_under: str
    after_text: str
    after_under: str
    change_text: str
    interval_text: str
    expected_text: str
    reading_text: str


def state_word(state: str) -> str:
    """The state as shown."""
    return words.state_word(next(one for one in STATES if one == state))


def is_claim(state: str) -> bool:
    """Only such a state may colour a headline."""
    return state in DEFINITE


def version_of(readout: Readout) -> str:
    """Of what it was last measured with; another one where it was measured anew. "" before."""
    inputs, _, rules = readout.measured_key.partition(":")
    return f"{inputs[:VERSION_LENGTH]}:{rules}" if inputs else ""


def awaits_hours(readout: Readout) -> bool:
    """Whether it collects, and hours to come may still settle it."""
    if readout.state != "collecting":
        return False
    missing = (readout.document or {}).get("missing_numbers") or {}
    return missing.get("look_again") is not None or missing.get("reason") == "hours-to-read"


def decided_sentence(readout: Readout) -> str:
    """Who decided on a readout, when, and what."""
    who = "Somebody who left" if readout.decided_by is None else str(readout.decided_by)
    when = "" if readout.decided_at is None else f" on {readout.decided_at:%Y-%m-%d at %H:%M} UTC"
    word = OUTCOME_WORDS[readout.outcome].lower()
    return f"{who} decided readout {readout.pk}{when}: {word}."


def heading(readout: Readout) -> str:
    """What the readout says in one sentence."""
    if readout.document is None:
        return readout.problem or NOT_MEASURED
    return str(readout.document["texts"]["heading"])


def rows_of(document: Document) -> Iterator[MeasureRow]:
    """The measures of a document in their fixed order; those that were not taken are left out."""
    for name in MEASURES:
        stored = document["measures"].get(name)
        if stored is not None:
            yield _row(_reading(name, stored))


def late_sentence(readout: Readout) -> str | None:
    """That restated hours would change a frozen readout; None where they would not."""
    if readout.late_document is None:
        return None
    late = readout.late_document["texts"]["heading"]
    return (
        f"Hours or markers have changed since the decision. Measured again: "
        f"{state_word(readout.late_state)}. {late}."
    )


def markdown(readout: Readout, link: str) -> str:
    """The readout as evidence to paste elsewhere: metric, windows, digits, caveat, address."""
    series, marker = readout.series, readout.rollout.marker
    name = f"{series.project_id or '(none)'} / {series.model or '(none)'}"
    lines = [
        f"**{state_word(readout.state)}**: {heading(readout)}",
        "",
        f"Series {name}, {MARKER_WORDS[marker.kind]} {marker.starts_at:%Y-%m-%d %H:%M} UTC.",
    ]
    if readout.document is not None:
        lines += _document_lines(readout.document)
    if readout.outcome:
        lines += ["", f"Decided: {OUTCOME_WORDS[readout.outcome]}. {readout.reason}"]
    return "\n".join([*lines, "", words.CAVEAT, "", link, ""])


def _document_lines(document: Document) -> list[str]:
    texts = document["texts"]
    beside = (
        *(texts[name] for name in ("controls", "placebo", "detectable")),
        value_text(document),
    )
    return [
        f"{_span('Before', document)} {_span('After', document)}",
        words.METRIC,
        "",
        *(f"- {measure_words.measure_sentence(row.reading)}" for row in rows_of(document)),
        *(f"- {text}" for text in _net_sentences(document)),
        *(f"- {text}" for text in (*texts["reasons"], *beside) if text),
    ]


def value_text(document: Document) -> str | None:
    """What the change is worth; only a change has a worth, also where older rules stored one."""
    text: str | None = document["texts"]["value"]
    return words.NO_VALUE if text and not is_claim(document["state"]) else text


def _net_sentences(document: Document) -> list[str]:
    """The primary change beyond the controls, where it is measured and shown as another one."""
    net, primary = document["net_change"], document["primary"]
    measured = document["measures"].get(primary)
    if net["value"] is None or measured is None:
        return []
    text = measure_words.change_text(primary, net["value"])
    if text == measure_words.change_text(primary, measured["change"]):
        return []
    unit = " points" if primary in measure_words.SHARES else ""
    bounds = measure_words.interval_text(primary, net["interval"])
    label = measure_words.MEASURE_WORDS[primary]
    return [f"{label}, beyond untouched series: {text}{unit} (90% interval {bounds})."]


def _span(name: str, document: Document) -> str:
    window = document["windows"][name.lower()]
    return f"{name}: {window['start']} to {window['end']}, {window['hours']} hours."


def _row(one: MeasureReading) -> MeasureRow:
    return MeasureRow(
        reading=one,
        label=measure_words.MEASURE_WORDS[one.name],
        before_text=measure_words.value_text(one.name, one.before),
        before_under=measure_words.side_text(one, after=False),
        after_text=measure_words.value_text(one.name, one.after),
        after_under=measure_words.side_text(one, after=True),
        change_text=measure_words.change_text(one.name, one.change),
        interval_text=measure_words.interval_text(one.name, one.interval),
        expected_text=measure_words.DIRECTION_WORDS[one.direction],
        reading_text=measure_words.READING_WORDS[one.reading],
    )


def _reading(name: Any, stored: Mapping[str, Any]) -> MeasureReading:
    """A measure as the core gave it, read back from its document."""
    top, bottom = _COUNTED.get(name, _OF_SHARES)
    interval = stored["interval"]
    return MeasureReading(
        name=name,
        before=stored["before"],
        after=stored["after"],
        expected=stored["expected"],
        change=stored["change"],
        interval=None if interval is None else (interval[0], interval[1]),
        before_numerator=stored.get(f"before_{top}"),
        before_denominator=stored.get(f"before_{bottom}"),
        after_numerator=stored.get(f"after_{top}"),
        after_denominator=stored.get(f"after_{bottom}"),
        before_hours=stored["before_hours"],
        after_hours=stored["after_hours"],
        direction=stored["direction"],
        reading=stored["reading"],
    )
