"""Reads behind the table of series: filter, sort, search, count. What is found has its newest verdict."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import (
    Case,
    Count,
    Expression,
    F,
    FilteredRelation,
    IntegerField,
    Max,
    OrderBy,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from cachewatch.analysis.evidence import FINDINGS
from cachewatch.analysis.flags import NEAR_THRESHOLD
from cachewatch.analysis.thresholds import ELIGIBLE_INPUT
from cachewatch.analysis.verdict_codes import NO_CACHED, VERDICTS
from cachewatch.verdicts.addresses import NO_ID
from cachewatch.verdicts.models import Verdict
from ingest.models import Project, Series

SORT_KEYS = ("project", "model", "verdict", "share", "gap", "requests", "since", "avoidable")
_VERDICT_RANK = Case(
    *(When(newest__code=code, then=Value(rank)) for rank, code in enumerate(VERDICTS)),
    output_field=IntegerField(),
)
_SORTS: Mapping[str, Expression | F] = {
    "project": Coalesce("project_name", "project_id"),
    "model": F("model"),
    "verdict": _VERDICT_RANK,
    "share": F("newest__pooled_share"),
    "gap": F("newest__quiet_share") - F("newest__busy_share"),
    "requests": F("newest__requests"),
    "since": F("newest__since_day"),
}
# analysis.evidence.is_finding() as a condition on the joined verdict.
IS_FINDING = Q(newest__code__in=sorted(FINDINGS)) | Q(
    newest__code=NO_CACHED,
    newest__requests__gt=0,
    newest__input_tokens__gte=F("newest__requests") * int(ELIGIBLE_INPUT.default),
)
# No finding, and one threshold is missed by little.
IS_NEAR = ~IS_FINDING & Q(newest__flags__contains=[NEAR_THRESHOLD])
# analysis.money_total.money_order() on the joined verdict: priced, unpriced, no claim, no finding.
_MONEY_RANK = Case(
    When(newest__avoidable_usd_high__isnull=False, then=Value(0)),
    When(newest__avoidable_tokens_high__isnull=False, then=Value(1)),
    When(IS_FINDING, then=Value(2)),
    default=Value(3),
    output_field=IntegerField(),
)
_USD = F("newest__avoidable_usd_low") + F("newest__avoidable_usd_high")
_TOKENS = F("newest__avoidable_tokens_low") + F("newest__avoidable_tokens_high")
_MISSED_TOKENS = F("newest__input_tokens") - F("newest__cached_tokens")


@dataclass(frozen=True)
class SeriesFilter:
    """Which series, of the sources that the caller may see, and in what order.

    `projects` and `models` hold ids, `_none` for the null one; `sort` is one of SORT_KEYS, with a
    minus sign in front for descending; empty means most avoidable first, then missed tokens.
    `near` keeps series near a finding; `among` those whose ids a query of a later step selects,
    such as who owns the finding.
    """

    source_ids: Collection[int]
    q: str = ""
    verdicts: Sequence[str] = ()
    flags: Sequence[str] = ()
    projects: Sequence[str] = ()
    models: Sequence[str] = ()
    near: bool = False
    among: QuerySet[Any, Any] | None = None
    sort: str = ""

    def conditions(self, without: str = "") -> Q:
        """The filter as one condition, leaving out the part named by `without`."""
        parts = {
            "verdicts": Q(newest__code__in=self.verdicts) if self.verdicts else Q(),
            "flags": _flagged(self.flags),
            "projects": _one_of("project_id", self.projects),
            "models": _one_of("model", self.models),
            "q": _search(self.q),
            "near": IS_NEAR if self.near else Q(),
            "among": Q() if self.among is None else Q(pk__in=self.among),
        }
        wanted = Q(source_id__in=list(self.source_ids))
        for name, part in parts.items():
            if name != without:
                wanted &= part
        return wanted


def _one_of(field: str, names: Sequence[str]) -> Q:
    if not names:
        return Q()
    named = Q(**{f"{field}__in": list(names)})
    return named | Q(**{f"{field}__isnull": True}) if NO_ID in names else named


def _flagged(flags: Sequence[str]) -> Q:
    """With one of these flags beside the verdict, or all of them where none is named."""
    wanted = Q()
    for flag in flags:
        wanted |= Q(newest__flags__contains=[flag])
    return wanted


def _search(q: str) -> Q:
    """Every word of the search must be found in one of the names."""
    wanted = Q()
    for word in q.split():
        wanted &= (
            Q(project_name__icontains=word)
            | Q(project_id__icontains=word)
            | Q(model__icontains=word)
            | Q(source__name__icontains=word)
        )
    return wanted


def with_verdicts(series: QuerySet[Series]) -> QuerySet[Series]:
    """Series with their source, `project_name`, and the newest verdict joined as `newest`."""
    names = Project.objects.filter(
        source_id=OuterRef("source_id"), project_id=OuterRef("project_id")
    )
    return series.select_related("source").annotate(
        newest=FilteredRelation("verdicts", condition=Q(verdicts__is_newest=True)),
        project_name=Subquery(names.values("name")[:1]),
    )


def filtered(chosen: SeriesFilter, without: str = "") -> QuerySet[Series]:
    """The series of a filter, unordered."""
    return with_verdicts(Series.objects.all()).filter(chosen.conditions(without))


def ordered(chosen: SeriesFilter) -> QuerySet[Series]:
    """The series of a filter in its order; what has no value comes last either way."""
    return filtered(chosen).order_by(*_order(chosen.sort))


def _order(sort: str) -> list[OrderBy | str]:
    key, descending = sort.removeprefix("-"), sort.startswith("-")
    if key not in _SORTS:
        return _by_money(descending=key != "avoidable" or descending)
    chosen = OrderBy(_SORTS[key], descending=descending, nulls_last=True)
    return [chosen, *_by_money(descending=True)]


def _by_money(*, descending: bool) -> list[OrderBy | str]:
    """Claims by money, unpriced ones after the priced, by tokens; then findings, then the rest."""
    money = [OrderBy(ends, descending=descending, nulls_last=True) for ends in (_USD, _TOKENS)]
    return [_MONEY_RANK.asc(), *money, _MISSED_TOKENS.desc(nulls_last=True), "pk"]


def newest_verdicts(series: Sequence[Series]) -> dict[int, Verdict]:
    """The newest verdict of each series with its decision, by series id, in one query."""
    found = Verdict.objects.filter(series__in=[one.pk for one in series], is_newest=True)
    with_decisions = found.select_related("series__decision")
    return {verdict.series_id: verdict for verdict in with_decisions}


def largest_claims(source_ids: Collection[int], most: int) -> list[tuple[Series, Verdict]]:
    """The series of these sources with the most to save, most first, and their newest verdicts."""
    claimed = Q(newest__avoidable_tokens_high__isnull=False)
    found = list(ordered(SeriesFilter(source_ids)).filter(claimed)[:most])
    verdicts = newest_verdicts(found)
    return [(one, verdicts[one.pk]) for one in found if one.pk in verdicts]


def neighbours(chosen: SeriesFilter, series_id: int) -> tuple[int | None, int | None]:
    """The ids before and after a series in the order of a filter; None at its ends or outside it."""
    ids = list(ordered(chosen).values_list("pk", flat=True))
    if series_id not in ids:
        return None, None
    place = ids.index(series_id)
    before = ids[place - 1] if place else None
    return before, ids[place + 1] if place + 1 < len(ids) else None


@dataclass(frozen=True)
class Facets:
    """Counts of series by what can be filtered; each ignores its own part of the filter."""

    verdicts: list[tuple[str, int]]
    projects: list[tuple[str | None, str | None, int]]  # id, name, count
    models: list[tuple[str | None, int]]
    near: int
    total: int


def facets(chosen: SeriesFilter) -> Facets:
    """What the filter bar offers, most frequent first."""
    by_code = dict(
        filtered(chosen, "verdicts")
        .filter(Q(newest__code__isnull=False))
        .annotate(code=F("newest__code"))
        .values_list("code")
        .annotate(count=Count("pk"))
    )
    projects = (
        filtered(chosen, "projects")
        .values_list("project_id")
        .annotate(name=Max("project_name"), count=Count("pk"))
        .order_by("-count", "name", "project_id")
    )
    models = filtered(chosen, "models").values_list("model").annotate(count=Count("pk"))
    return Facets(
        verdicts=[(code, by_code[code]) for code in VERDICTS if code in by_code],
        projects=[(project_id, name, count) for project_id, name, count in projects],
        models=list(models.order_by("-count", "model")),
        near=filtered(chosen, "near").filter(IS_NEAR).count(),
        total=filtered(chosen).count(),
    )


def source_counts(chosen: SeriesFilter) -> dict[int, int]:
    """How many series each source has, by source id."""
    return dict(filtered(chosen).values_list("source_id").annotate(count=Count("pk")).order_by())
