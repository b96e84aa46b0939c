"""Before/after readouts: did a repair that shipped change what is read from the prompt cache?

It is a comparison at one time, not an experiment. Hours after are held against what the days before
lead one to expect at the same load; others that nobody touched are taken off; what else could
explain the change is checked first. A word may change on days 2, 4 and 7 only (and on day 14 where
a week did not settle it), so that looking often does not make a word out of chance.
"""

from __future__ import annotations

from cachewatch.analysis.readout_thresholds import LAST_REGULAR_LOOK, SHOWN_CONFIDENCE, Look
from cachewatch.analysis.readouts.comparing import Interval
from cachewatch.analysis.readouts.controls import rank_controls
from cachewatch.analysis.readouts.cost import priced_part
from cachewatch.analysis.readouts.evaluation import Evaluation, evaluate
from cachewatch.analysis.readouts.measures import measures_of
from cachewatch.analysis.readouts.question import Question
from cachewatch.analysis.readouts.result import DEFINITE, LookReading, Net, Readout, Value
from cachewatch.analysis.readouts.windows import looks_reached, spans_of

HOURS_PER_WEEK = 168
VALUED = DEFINITE | {"no-detectable-change"}


def read_out(question: Question) -> Readout:
    """Measure a repair. Pure: the same question gives the same digits."""
    spans = spans_of(question)
    looks = looks_reached(spans)
    if not looks:
        return _readout(question, evaluate(question, spans, None), ())
    ranked = rank_controls(question, spans)
    found = [evaluate(question, spans.after_of(look.days), look, ranked) for look in looks]
    readings = [_look_reading(*pair) for pair in zip(looks, found, strict=True)]
    return _readout(question, _in_force(found), tuple(readings))


def _in_force(found: list[Evaluation]) -> Evaluation:
    """The latest look of the first week; a later one where that week did not settle it."""
    regular = [one for one in found if one.look and one.look.days <= LAST_REGULAR_LOOK]
    latest = regular[-1]
    return found[-1] if latest.word.state == "collecting" else latest


def _readout(question: Question, found: Evaluation, looks: tuple[LookReading, ...]) -> Readout:
    effect, material, kind = found.effect, found.material, question.marker.kind
    claims = found.look is not None and effect.known
    confidence = found.look.confidence if found.look else SHOWN_CONFIDENCE.default
    return Readout(
        state=found.word.state,
        reasons=found.word.reasons,
        marker=question.marker,
        others=found.others,
        spans=material.spans,
        primary=material.expectation.primary,
        measures=measures_of(material, kind, question.seed, claims=claims),
        checks=found.checks if claims or found.word.state == "suspicious" else (),
        controls=found.controls,
        placebos=found.placebos,
        net=_net(found) if claims else None,
        minimum_effect=effect.least,
        minimum_detectable=effect.detectable(confidence) if claims else None,
        looks=looks,
        low_days=material.low_days,
        missing=found.word.missing,
        value=_value(found) if claims and found.word.state in VALUED else None,
        cost_unknown=material.cost_unknown,
    )


def _net(found: Evaluation) -> Net:
    effect = found.effect
    interval = effect.interval(SHOWN_CONFIDENCE.default)
    return Net(effect.net, interval, effect.error, effect.degrees)


def _look_reading(look: Look, found: Evaluation) -> LookReading:
    effect = found.effect
    known = effect.known
    return LookReading(
        look.days,
        look.confidence,
        found.word.state,
        effect.net if known else None,
        effect.interval(look.confidence) if known else None,
    )


def _value(found: Evaluation) -> Value | None:
    """What a week at the traffic after is worth: all hours, the controls' change taken off."""
    pooled = found.material.compared["pooled_share"]
    bounds = pooled.interval(SHOWN_CONFIDENCE.default)
    if bounds is None:
        return None
    spans, sides = found.material.spans, found.material.sides
    hours = max(spans.after_end - spans.after_start, 1)
    weekly = float(sides.input_tokens[sides.after].sum()) * HOURS_PER_WEEK / hours
    others = found.controls.change or 0.0
    usd, usd_bounds, part = _usd(found, hours)
    return Value(
        cached_tokens=(pooled.change - others) * weekly,
        tokens_interval=((bounds[0] - others) * weekly, (bounds[1] - others) * weekly),
        usd=usd,
        usd_interval=usd_bounds,
        priced_part=part,
    )


def _usd(found: Evaluation, hours: int) -> tuple[float | None, Interval | None, float | None]:
    sides, material = found.material.sides, found.material
    part = priced_part(sides.input_tokens, material.cost, sides.after)
    cost = material.compared["input_cost_per_request"]
    bounds = cost.interval(SHOWN_CONFIDENCE.default)
    if bounds is None:
        return None, None, part
    weekly = float(sides.requests[sides.after].sum()) * HOURS_PER_WEEK / hours
    return -cost.change * weekly, (-bounds[1] * weekly, -bounds[0] * weekly), part
