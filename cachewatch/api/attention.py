"""Needs attention: findings, readouts and verdicts to review, series near a finding; one next step each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, cast

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router

from cachewatch.api.attention_shapes import (
    Attention,
    AttentionCounts,
    AttentionItem,
    NextStep,
    VerdictName,
)
from cachewatch.api.auth import readable_sources
from cachewatch.api.filters import SourceFilter
from cachewatch.api.finding_rows import findings_out, person_out, series_fields
from cachewatch.api.finding_shapes import Finding
from cachewatch.api.marker_shapes import ReadoutState
from cachewatch.api.money import money_fields, no_money
from cachewatch.api.series import counted
from cachewatch.api.shapes import verdict_code
from cachewatch.rollouts import presenting as rollouts_said
from cachewatch.rollouts.models import Readout
from cachewatch.rollouts.queries import readouts_to_review
from cachewatch.verdicts.addresses import series_path
from cachewatch.verdicts.browse import newest_verdicts, with_verdicts
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.presenting import present, verdict_word
from cachewatch.worklist import models, queries
from cachewatch.worklist.attention import (
    MOST_ITEMS,
    Candidate,
    in_order,
    near_findings,
    verdicts_to_review,
    waiting_findings,
)
from cachewatch.worklist.checklist import checklist, marks_of, next_step
from ingest.models import Series

router = Router(tags=["findings"])
Tab = Literal["all", "sudden", "high", "review"]


class AttentionQuery(SourceFilter):
    """Which tab."""

    attention: Tab = Field(default="all", description="sudden change, high level, or to review")


@router.get("/attention", response=Attention)
def list_attention(request: HttpRequest, chosen: Annotated[AttentionQuery, Query()]) -> Attention:
    """At most seven things that wait, dollars first, then age; each series once."""
    sources = counted(readable_sources(request), chosen.source)
    every = in_order(_candidates([source.pk for source in sources]))
    wanted = [one for one in every if chosen.attention in ("all", one.group)]
    groups = Counter(one.group for one in every)
    return Attention(
        items=_items(wanted[:MOST_ITEMS], now=timezone.now()),
        counts=AttentionCounts(
            all=len(every), **{name: groups[name] for name in ("sudden", "high", "review")}
        ),
    )


def _candidates(source_ids: Collection[int]) -> list[Candidate]:
    """One for each series; a readout that waits comes before its finding, unless that regressed since."""
    findings = {one.series_id: one for one in waiting_findings(source_ids)}
    found: dict[int, Candidate] = {one.series_id: one for one in near_findings(source_ids)}
    found |= {one.series_id: one for one in verdicts_to_review(source_ids)}
    found |= findings
    for readout in readouts_to_review(source_ids):
        about = findings.get(readout.series_id)
        if about is not None and about.kind == "regressed":
            continue
        found[readout.series_id] = Candidate(
            "readout",
            "review",
            readout.series_id,
            readout.measured_at or readout.opened_at,
            usd=about.usd if about else None,
            tokens=about.tokens if about else None,
            finding_id=about.finding_id if about else None,
            readout_id=readout.pk,
        )
    return list(found.values())


def _items(chosen: Sequence[Candidate], *, now: datetime) -> list[AttentionItem]:
    ids = [one.series_id for one in chosen]
    series = {one.pk: one for one in with_verdicts(Series.objects.filter(pk__in=ids))}
    verdicts = newest_verdicts(list(series.values()))
    findings = _findings(chosen, now)
    readouts = {
        one.pk: one
        for one in Readout.objects.filter(
            pk__in=[one.readout_id for one in chosen if one.readout_id]
        )
    }
    return [
        _item(
            one,
            series[one.series_id],
            verdicts.get(one.series_id),
            findings.get(one.finding_id or 0),
            readouts.get(one.readout_id or 0),
            now,
        )
        for one in chosen
        if one.series_id in series
    ]


def _findings(
    chosen: Sequence[Candidate], now: datetime
) -> Mapping[int, tuple[models.Finding, Finding]]:
    ids = [one.series_id for one in chosen if one.finding_id is not None]
    rows = list(queries.findings_shown(ids))
    return {
        row.pk: (row, shown) for row, shown in zip(rows, findings_out(rows, now=now), strict=True)
    }


def _item(
    one: Candidate,
    series: Series,
    verdict: Verdict | None,
    work: tuple[models.Finding, Finding] | None,
    readout: Readout | None,
    now: datetime,
) -> AttentionItem:
    row, finding = work or (None, None)
    return AttentionItem(
        **series_fields(series),
        **(no_money("not classified yet") if verdict is None else money_fields(verdict)),
        kind=one.kind,
        kind_word=_kind_word(one, finding, readout),
        group=one.group,
        verdict=None
        if verdict is None
        else VerdictName(code=verdict_code(verdict.code), word=verdict_word(verdict.code)),
        sentence=_sentence(verdict, series, finding, readout),
        since=one.since,
        age_days=max(0, (now - one.since).days),
        owner=person_out(row.owner if row else None),
        finding_id=one.finding_id,
        readout_id=one.readout_id,
        readout_state=None if readout is None else cast("ReadoutState", readout.state),
        next_step=_next(one, series, verdict, finding),
    )


def _kind_word(one: Candidate, finding: Finding | None, readout: Readout | None) -> str:
    if readout is not None:
        return rollouts_said.state_word(readout.state)
    if finding is not None:
        return finding.standing
    return "To review" if one.kind == "review" else "Near a finding"


def _sentence(
    verdict: Verdict | None, series: Series, finding: Finding | None, readout: Readout | None
) -> str:
    if readout is not None:
        return rollouts_said.heading(readout)
    if finding is not None and finding.cleared_sentence is not None:
        return finding.cleared_sentence
    shown: Mapping[str, Any] = {} if verdict is None else present(verdict, series)
    sentence = str(shown.get("sentence", "Not classified yet"))
    nearest = shown.get("nearest")
    return sentence if nearest is None else f"{sentence}: {nearest}"


def _next(
    one: Candidate, series: Series, verdict: Verdict | None, finding: Finding | None
) -> NextStep:
    path = series_path(series)
    if one.readout_id is not None:
        return NextStep(label="Review and decide", path=f"/readouts/{one.readout_id}")
    if finding is not None:
        return _next_of_finding(path, finding)
    if one.kind == "near":
        return NextStep(label="Watch for 7 days", path=f"{path}#evidence")
    return NextStep(label=_next_of_review(series, verdict), path=f"{path}#repair")


def _next_of_review(series: Series, verdict: Verdict | None) -> str:
    steps = checklist(verdict, series, marks_of(series, None))
    step = next_step(steps)
    if step is None:
        return "Read what was found"
    present_steps = sum(one.number is not None for one in steps)
    return f"{step.repair.step} (step {step.number} of {present_steps})"


def _next_of_finding(path: str, finding: Finding) -> NextStep:
    work = f"{path}#finding"
    if finding.cleared_on is not None:
        return NextStep(label="Mark finding resolved", path=work)
    if finding.owner is None:
        return NextStep(label="Assign an owner", path=work)
    if finding.state == "shipped":
        return NextStep(label="Wait for the readout", path=work)
    if finding.next_step is None:
        return NextStep(label="Mark finding resolved", path=work)
    number, step = finding.next_step.number, finding.next_step.step
    label = f"{step} (step {number} of {finding.steps_total})"
    return NextStep(label=label, path=f"{path}#repair")
