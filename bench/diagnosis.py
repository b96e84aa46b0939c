"""The diagnosis of 5,000 series as numbers, against the published rule in plain Python.

Reference: bench.plain_rule over the same hours as Python numbers, a part of the series (the time
for one series does not depend on how many there are). Subjects: the published rule alone, and the
rules in force with every control, from a SeriesBatch; and the same with the records of all
controls. Sentences are made when they are shown, and not here.
"""

from __future__ import annotations

from typing import Any

from bench.diagnosis_costs import control_costs
from bench.drawn import MODEL, Drawn, draw, plain_hours
from bench.part import Figures, Options, peak_megabytes
from bench.plain_rule import judge
from bench.timing import Step, Target, in_turn, seconds_of, speed_ratio
from cachewatch.analysis.cells import CellLabel
from cachewatch.analysis.classify import Classification, classify
from cachewatch.analysis.gather import evidences_of

SERIES, PLAIN_SERIES = 5000, 500
PUBLISHED_TARGET = Target("at_least", 25.0)
ALL_CONTROLS_TARGET = Target("at_least", 8.0)


def run(options: Options) -> Figures:
    """Figures of a week and of 30 days."""
    weeks = {f"{hours}_hours": _measure(options, hours) for hours in (168, 720)}
    return weeks | {"peak_megabytes": peak_megabytes()}


def _measure(options: Options, hours: int) -> dict[str, Any]:
    series = options.size(SERIES, 20)
    plain = options.size(PLAIN_SERIES, 5)
    drawn = draw(series, hours)
    plain_series = plain_hours(drawn.batch)[:plain]
    costs = in_turn(
        {
            "plain_python": Step(lambda: [judge(one) for one in plain_series]),
            "published_rule": Step(lambda: classify(drawn.batch, rules="published")),
            "all_controls": Step(lambda: full(drawn)),
            "all_controls_with_records": Step(lambda: records(full(drawn), series)),
        },
        options.runs,
    )
    reference, more = costs["plain_python"], series / plain
    return {
        "series": {"subject": series, "reference": plain},
        "seconds": {name: seconds_of(one) for name, one in costs.items()},
        "published_rule": speed_ratio(reference, costs["published_rule"], PUBLISHED_TARGET, more),
        "all_controls": speed_ratio(reference, costs["all_controls"], ALL_CONTROLS_TARGET, more),
        "all_controls_with_records": speed_ratio(
            reference, costs["all_controls_with_records"], ALL_CONTROLS_TARGET, more
        ),
        "milliseconds_by_control": control_costs(drawn, options.runs),
    }


def full(drawn: Drawn) -> Classification:
    """The rules in force, with every control that a verdict hangs on."""
    return classify(drawn.batch, cells=drawn.cells, models=[MODEL] * len(drawn.batch))


def records(judged: Classification, series: int) -> None:
    """The evidence of every series: numbers, and each control's status and numbers."""
    labels = [CellLabel(f"key_{one}", False, "default") for one in range(series)]
    evidences_of(judged, labels)
