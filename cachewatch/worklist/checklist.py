"""The repair list of a series as it stands, with what people made of each step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cachewatch.analysis.repairs import Repair, repairs, repairs_for
from cachewatch.analysis.repairs.samples import Sample, samples
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.presenting import evidence_of_verdict
from cachewatch.worklist.models import Finding, StepMark
from ingest.models import Series


class Step(NamedTuple):
    """A step of the list; `mark` is what somebody made of it, None while nobody did.

    `number` counts the steps of the present list; None for a step of a former verdict, which is
    kept since somebody worked on it: it has no words but what it was called.
    """

    number: int | None
    repair: Repair
    code: str
    samples: tuple[Sample, ...]
    mark: StepMark | None

    @property
    def is_open(self) -> bool:
        """Whether it waits to be done."""
        return self.mark is None or self.mark.state == StepMark.State.OPEN


def repairs_of(verdict: Verdict | None, series: Series) -> tuple[Repair, ...]:
    """The steps for the verdict in force; none before the first."""
    if verdict is None:
        return ()
    evidence = evidence_of_verdict(verdict)
    if evidence is not None:
        return repairs_for(evidence, series.model)
    tokens, requests = verdict.input_tokens, verdict.requests
    mean = tokens / requests if requests and tokens is not None else None
    return repairs(verdict.code, series.model, mean, verdict.flags)


def marks_of(series: Series, finding: Finding | None) -> dict[str, StepMark]:
    """What people made of steps, by key, for the finding; without one, for the series."""
    found = StepMark.objects.filter(series=series, finding=finding).select_related("by")
    return {mark.key: mark for mark in found.order_by("at", "pk")}


def marks_shown(
    verdict: Verdict | None, series: Series, finding: Finding | None
) -> dict[str, StepMark]:
    """What people made of steps, as the page of the series shows it beside `finding`.

    The work on a resolved finding stays in sight, under what was done since without one. A step
    that stands in the list of another verdict by now is to be done anew.
    """
    if finding is None or finding.state != Finding.State.RESOLVED:
        return marks_of(series, finding)
    present = {one.key for one in repairs_of(verdict, series)}
    code = verdict.code if verdict else ""
    kept = {
        key: mark
        for key, mark in marks_of(series, finding).items()
        if mark.code == code or key not in present
    }
    alone = marks_of(series, None)
    return kept | {
        key: mark for key, mark in alone.items() if key not in kept or mark.at > kept[key].at
    }


def checklist(verdict: Verdict | None, series: Series, marks: dict[str, StepMark]) -> list[Step]:
    """The steps of the present list in order, then marked ones of former verdicts."""
    present = repairs_of(verdict, series)
    code = verdict.code if verdict else ""
    steps = [
        Step(number, one, code, samples(one.key), marks.get(one.key))
        for number, one in enumerate(present, start=1)
    ]
    return [*steps, *_former(marks.values(), {one.key for one in present})]


def _former(marks: Iterable[StepMark], present: set[str]) -> Iterable[Step]:
    for mark in marks:
        if mark.key not in present:
            gone = Repair(mark.key, mark.step, "", "", "")
            yield Step(None, gone, mark.code, (), mark)


def next_step(steps: Iterable[Step]) -> Step | None:
    """The first step of the present list that waits; None where all are done or skipped."""
    return next((one for one in steps if one.number is not None and one.is_open), None)
