"""From a stored series and its newest verdict to a row of the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from cachewatch.accounts.models import User
from cachewatch.api.money import money_fields, no_money
from cachewatch.api.row_work import work_of
from cachewatch.api.series_shapes import (
    FindingFacet,
    ListedSeries,
    ModelFacet,
    OwnerFacet,
    ProjectFacet,
    SourceFacet,
)
from cachewatch.api.series_standing import decision_out
from cachewatch.api.shapes import (
    Onset,
    VerdictCount,
    VerdictSummary,
    pooled,
    source_ref,
    verdict_code,
    verdict_groups,
)
from cachewatch.api.times import hour_of, hour_start_or_none
from cachewatch.verdicts import browse
from cachewatch.verdicts.addresses import NO_NAME, project_label, series_path
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.presenting import present
from cachewatch.worklist.presenting import state_word
from ingest import queries
from ingest.models import Series, Source

HOURS_PER_DAY = 24
# Reasons to leave out an hour that is settled.
_SETTLED = ("no_input", "no_requests", "not_reported")


def verdict_summary(verdict: Verdict, shown: Mapping[str, Any]) -> VerdictSummary:
    """A verdict in a code and in words."""
    return VerdictSummary(
        code=verdict_code(verdict.code),
        word=shown["word"],
        published_state=verdict.published_state,
        published_word=shown["published_word"],
        action_class=shown["action_class"],
        since=verdict.since_day,
        days=(verdict.day - verdict.since_day).days + 1,
        short=shown["short"],
        sentence=shown["sentence"],
        is_finding=shown["is_finding"],
        day=verdict.day,
        flags=shown["flags"],
        near_threshold=shown["near_threshold"],
        nearest=shown["nearest"],
        retires_on=shown["retires_on"],
        onset=Onset(**shown["onset"]) if shown["onset"] else None,
    )


def rows_out(found: Sequence[Series], *, now: datetime) -> list[ListedSeries]:
    """The rows of one page; five more queries, however many rows there are."""
    verdicts = browse.newest_verdicts(found)
    complete = queries.complete_to({one.source_id for one in found}, now=now)
    shown = {
        one.pk: present(verdicts[one.pk], one) if one.pk in verdicts else None for one in found
    }
    work = work_of(found, shown, today=now.date())
    return [
        ListedSeries(
            work=worked,
            **row_fields(
                one, verdicts.get(one.pk), shown[one.pk], complete.get(one.source_id), now
            ),
        )
        for one, worked in zip(found, work, strict=True)
    ]


def row_fields(
    series: Series,
    verdict: Verdict | None,
    shown: Mapping[str, Any] | None,
    complete_hour: int | None,
    now: datetime,
) -> dict[str, Any]:
    """The fields of SeriesRow. `shown` is what present() made of the verdict."""
    until = hour_of(now) if complete_hour is None else complete_hour
    idle = 0 if series.last_hour is None else max(0, until - series.last_hour - 1)
    return {
        "id": series.pk,
        "source": source_ref(series.source),
        "project_id": series.project_id,
        "project_name": project_label(series),
        "model": series.model,
        "model_name": series.model or NO_NAME,
        "path": series_path(series),
        "complete_to": hour_start_or_none(complete_hour),
        "last_traffic": hour_start_or_none(series.last_hour),
        "idle_days": idle // HOURS_PER_DAY,
        "awaits_settling": verdict is not None and _awaits_settling(verdict, series.last_hour),
        **_verdict_fields(verdict, shown),
    }


def _awaits_settling(verdict: Verdict, last_hour: int | None) -> bool:
    """Whether all traffic of the window, or after it, is in hours that are not settled yet."""
    left_out = verdict.excluded
    if verdict.requests is not None or any(left_out.get(name) for name in _SETTLED):
        return False
    later = last_hour is not None and last_hour >= verdict.window_end_hour
    return later or left_out.get("unsettled", 0) > 0


def _verdict_fields(verdict: Verdict | None, shown: Mapping[str, Any] | None) -> dict[str, Any]:
    if verdict is None or shown is None:
        return {
            "verdict": None,
            "decision": None,
            "pooled": pooled(None, None),
            "quiet": None,
            "busy": None,
            "third_reason": "Not classified yet",
            **no_money("not classified yet"),
            "rho": None,
            "linked_hours": None,
            "requests_per_day": None,
            "points": [],
        }
    return {
        "verdict": verdict_summary(verdict, shown),
        "decision": decision_out(verdict),
        "pooled": pooled(verdict.cached_tokens, verdict.input_tokens),
        "rho": verdict.rho,
        "linked_hours": verdict.linked_hours,
        **money_fields(verdict),
        **{
            name: shown[name]
            for name in ("quiet", "busy", "third_reason", "requests_per_day", "points")
        },
    }


def facets_out(
    found: browse.Facets, by_source: Mapping[int, int], visible: Sequence[Source]
) -> dict[str, Any]:
    """The filter bar's choices among verdicts and names."""
    return {
        "verdicts": [
            VerdictCount(code=verdict_code(code), count=count) for code, count in found.verdicts
        ],
        "projects": [
            ProjectFacet(id=project_id, name=name or project_id or NO_NAME, count=count)
            for project_id, name, count in found.projects
        ],
        "models": [ModelFacet(model=model, count=count) for model, count in found.models],
        "sources": [
            SourceFacet(slug=source.slug, name=source.name, count=by_source[source.pk])
            for source in visible
            if source.pk in by_source
        ],
        "groups": verdict_groups(found.verdicts),
        "near": found.near,
        "total": found.total,
    }


def owners_out(counts: Iterable[tuple[User | None, int]]) -> list[OwnerFacet]:
    """Owners by name, nobody first."""
    found = sorted(counts, key=lambda one: (one[0] is not None, str(one[0])))
    return [
        OwnerFacet(id=None, name="No owner", count=count)
        if owner is None
        else OwnerFacet(id=owner.pk, name=str(owner), count=count)
        for owner, count in found
    ]


def states_out(counts: Iterable[tuple[str, int]]) -> list[FindingFacet]:
    """States of findings in words."""
    return [
        FindingFacet(state=cast("Any", state), word=state_word(state), count=count)
        for state, count in counts
    ]
