"""The report for people: one line per finding with its reason, what was left out, the repairs."""

from __future__ import annotations

from collections.abc import Iterator

from cachewatch.analysis.explain import detail, excluded_sentence
from cachewatch.analysis.handoff import handoff
from cachewatch.analysis.lede import unknown_model
from cachewatch.analysis.repairs import repairs_for
from cachewatch.analysis.vocabulary import action_class, verdict_word
from cachewatch.diagnose.judging import Diagnosis, Judged
from cachewatch.diagnose.report_controls import control_lines
from cachewatch.diagnose.report_json import hour_text, reject_place
from cachewatch.diagnose.report_money import money_line, total_line
from ingest.openai_usage.plain_text import plain_text

SHOWN_REJECTS = 5


def text(diagnosis: Diagnosis, *, show_all: bool) -> str:
    """The whole report; `show_all` adds the series without a finding.

    Of these, the ones that ask for a look have all that a finding has but money.
    """
    return "\n".join(_lines(diagnosis, show_all))


def _lines(diagnosis: Diagnosis, show_all: bool) -> Iterator[str]:
    findings = [judged for judged in diagnosis.series if judged.evidence.is_finding]
    for judged in findings:
        yield from _finding(judged)
    if show_all:
        others = [judged for judged in diagnosis.series if not judged.evidence.is_finding]
        for judged in others:
            yield from _headline(judged)
            if _asks_for_a_look(judged):
                yield from _evidence(judged)
    yield from _left_out(diagnosis)
    if money := total_line(diagnosis):
        yield money
    yield _summary(diagnosis)
    if not show_all and (asking := sum(map(_asks_for_a_look, diagnosis.series))):
        asks, them = ("asks", "it") if asking == 1 else ("ask", "them")
        yield f"{asking} further series {asks} for a look, without a finding: --show-all prints {them}"


def _headline(judged: Judged) -> Iterator[str]:
    evidence = judged.evidence
    name = f"{shown_id(judged.project_id)} / {shown_id(judged.model)}"
    word = verdict_word(evidence.verdict)
    yield f"{evidence.verdict:<24} {name}  {word}: {detail(evidence)}"
    yield f"    {excluded_sentence(evidence)}"
    if evidence.published_state != evidence.verdict:
        word = verdict_word(evidence.published_state).lower()
        yield f"    the published rule would say: {word} ({evidence.published_state})"


def _asks_for_a_look(judged: Judged) -> bool:
    evidence = judged.evidence
    watched = action_class(evidence.verdict, evidence.mean_input) == "watch"
    return watched and evidence.rules != "published"


def _finding(judged: Judged) -> Iterator[str]:
    yield from _headline(judged)
    if judged.evidence.rules != "published":
        yield f"    {money_line(judged)}"
    yield from _evidence(judged)


def _evidence(judged: Judged) -> Iterator[str]:
    """How every cause stands, the thresholds, what stands beside the verdict, and the steps."""
    evidence = judged.evidence
    for line in control_lines(evidence):
        yield f"    {line}"
    if evidence.flags:
        yield f"    flags: {', '.join(evidence.flags)}"
    note = handoff(evidence)
    if note:
        yield f"    {note.text}"
    if assumed := unknown_model(evidence, judged.model):
        yield f"   {assumed}"
    steps = repairs_for(evidence, judged.model)
    for number, repair in enumerate(steps, start=1):
        yield f"    repair {number}: {repair.step}. {repair.why}"
        yield f"        {repair.how} {repair.result}"


def shown_id(name: str | None) -> str:
    """An id for a terminal; a null one is "(none)"."""
    return "(none)" if name is None else plain_text(name)


def _left_out(diagnosis: Diagnosis) -> Iterator[str]:
    if diagnosis.clipped_hours:
        yield f"{diagnosis.clipped_hours} hour(s) are known only in part and were left out"
    if diagnosis.partly_read_hours:
        yield (
            f"{diagnosis.partly_read_hours} hour(s) hold a row that could not be placed; they were"
            " left out of every series that it may belong to"
        )
    if diagnosis.future_hours:
        yield f"{diagnosis.future_hours} hour(s) lie in the future and were left out"
    rejects = diagnosis.rejects
    for reject in rejects[:SHOWN_REJECTS]:
        yield f"not read: {plain_text(reject_place(reject))}: {plain_text(reject.reason)}"
    if len(rejects) > SHOWN_REJECTS:
        yield f"not read: {len(rejects) - SHOWN_REJECTS} more value(s); --json lists all"


def _summary(diagnosis: Diagnosis) -> str:
    counts = (
        f"{len(diagnosis.series)} project/model series checked, {diagnosis.findings} finding(s)"
    )
    if diagnosis.start_hour is None:
        return f"{counts}; no hour of usage was read"
    return f"{counts}; hours {hour_text(diagnosis.start_hour)} to {hour_text(diagnosis.end_hour)}"
