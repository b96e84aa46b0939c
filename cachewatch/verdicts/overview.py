"""The week of an organization: totals over the newest verdicts, and the one headline."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from cachewatch.analysis.money_total import NOTHING, Total
from cachewatch.analysis.money_words import week_words
from cachewatch.analysis.verdict_codes import (
    INCONCLUSIVE,
    LEVEL_SHIFT,
    LOAD_FLAT,
    MIX_SHIFT,
    NO_CACHED,
    SCATTER,
    SPARSE,
    TOO_FEW,
    VERDICTS,
)
from cachewatch.verdicts.browse import IS_FINDING, IS_NEAR, largest_claims, with_verdicts
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.money import claim_of
from cachewatch.verdicts.records import WINDOW_HOURS
from ingest.models import Series, Source
from ingest.queries import State, hour_states

# A finding is new on the day it began and on the two days after.
NEW_FINDING_DAYS = 2
# What stands on a series, which its finding follows; before the first decision, its verdict.
_IS_DECIDED = Q(decision__is_finding=True) | (Q(decision__isnull=True) & IS_FINDING)
LARGEST_CLAIMS = 3
# Verdicts after which nobody can say whether the prompt cache holds in busy hours.
SILENT_ON_LOAD = (NO_CACHED, LOAD_FLAT, MIX_SHIFT, LEVEL_SHIFT, SPARSE, INCONCLUSIVE)


@dataclass(frozen=True)
class Totals:
    """Input and cached tokens of all series; None where nothing was reported."""

    input_tokens: int | None
    cached_tokens: int | None


@dataclass(frozen=True)
class OverviewNumbers:
    """What the overview says of a set of sources.

    `end_hour` is the end of the newest classified window, None before the first verdict. `series`
    and `projects` count what the table of series lists; `findings` the open ones, `new_findings`
    and `unowned_findings` some of them; `near_threshold` the series that are no finding and miss
    one threshold by little; `active` are the series with traffic in the window. Findings are
    those that were decided, which the newest verdict may differ from. `before` is the week before,
    None where no verdict of that time is stored. `avoidable` adds up all claims; `largest` are the
    series with the most of it.
    """

    end_hour: int | None
    now: Totals
    before: Totals | None
    series: int
    active: int
    projects: int
    findings: int
    new_findings: int
    losing_under_load: int
    verdict_counts: list[tuple[str, int]]
    unowned_findings: int = 0
    near_threshold: int = 0
    avoidable: Total = NOTHING
    largest: Sequence[tuple[Series, Verdict]] = ()


def overview_numbers(
    source_ids: Collection[int],
    put_away: QuerySet[Any, Any] | None = None,
    unowned: QuerySet[Any, Any] | None = None,
) -> OverviewNumbers:
    """Totals over the newest verdicts of these sources' series.

    `put_away` selects the ids of series whose finding is not open any more, whatever the verdict
    says, and `unowned` those whose finding nobody owns; None: of none.
    """
    series = with_verdicts(Series.objects.filter(source_id__in=list(source_ids)))
    classified = series.filter(Q(newest__isnull=False))
    counted, by_code = _counts(classified, put_away, unowned), _verdict_counts(classified)
    return OverviewNumbers(
        end_hour=counted["end_hour"],
        now=Totals(counted["input_tokens"], counted["cached_tokens"]),
        before=_week_before(source_ids),
        series=series.count(),
        active=counted["active"],
        projects=series.values("source_id", "project_id").distinct().count(),
        findings=counted["findings"],
        new_findings=counted["new_findings"],
        unowned_findings=counted["unowned_findings"],
        near_threshold=counted["near_threshold"],
        losing_under_load=by_code.get(SCATTER, 0),
        verdict_counts=[(code, by_code[code]) for code in VERDICTS if code in by_code],
        avoidable=_avoidable(classified),
        largest=largest_claims(source_ids, LARGEST_CLAIMS),
    )


def _counts(
    classified: QuerySet[Series],
    put_away: QuerySet[Any, Any] | None,
    unowned: QuerySet[Any, Any] | None,
) -> dict[str, Any]:
    """Totals and counts of series that have a verdict; see overview_numbers()."""
    since = classified.alias(since=Coalesce("decision__since_day", "newest__since_day"))
    lately = Q(since__gte=F("newest__day") - timedelta(days=NEW_FINDING_DAYS))
    is_open = _IS_DECIDED if put_away is None else _IS_DECIDED & ~Q(pk__in=put_away)
    nobodys = is_open & Q(pk__in=[] if unowned is None else unowned)
    # What began with other rules, thresholds or minutes is not new.
    new = is_open & lately & (Q(decision__isnull=True) | Q(decision__cause=""))
    # Hours that are not settled yet are traffic too, though no number of the verdict holds them.
    active = Q(last_hour__gte=F("newest__window_start_hour"))
    active |= Q(newest__requests__gt=0) | Q(newest__input_tokens__gt=0)
    return since.aggregate(
        end_hour=Max("newest__window_end_hour"),
        input_tokens=Sum("newest__input_tokens"),
        cached_tokens=Sum("newest__cached_tokens"),
        active=Count("pk", filter=active),
        findings=Count("pk", filter=is_open),
        new_findings=Count("pk", filter=new),
        unowned_findings=Count("pk", filter=nobodys),
        near_threshold=Count("pk", filter=IS_NEAR),
    )


def complete_hours(sources: Collection[Source], end_hour: int, *, now: datetime) -> int:
    """Hours of the window that ends at `end_hour` that every source read in it has whole, settled.

    A source with no hour in the window takes nothing away from the others.
    """
    found = []
    for source in sources:
        states = hour_states(source, end_hour - WINDOW_HOURS, end_hour, now)
        whole = {one.hour for one in states if one.state is State.COMPLETE}
        found += [whole] if whole else []
    return len(set.intersection(*found)) if found else 0


def _avoidable(classified: QuerySet[Series]) -> Total:
    """analysis.money_total.total() of the newest verdicts, added up by the database."""
    high = F("newest__avoidable_tokens_high")
    found = classified.aggregate(
        claims=Count(high),
        priced=Count("newest__avoidable_usd_high"),
        tokens_low=Sum("newest__avoidable_tokens_low"),
        tokens_high=Sum(high),
        usd_low=Sum("newest__avoidable_usd_low"),
        usd_high=Sum("newest__avoidable_usd_high"),
        with_price=Sum(high * F("newest__priced_share")),
        price_date=Max("newest__price_date"),
    )
    if not found["tokens_high"]:
        return NOTHING
    return Total(
        tokens_per_week=(int(found["tokens_low"]), int(found["tokens_high"])),
        usd_per_week=(found["usd_low"], found["usd_high"]) if found["priced"] else None,
        priced=found["priced"],
        unpriced=found["claims"] - found["priced"],
        priced_share=found["with_price"] / float(found["tokens_high"]),
        price_date=found["price_date"],
    )


def _verdict_counts(classified: QuerySet[Series]) -> dict[str, int]:
    coded = classified.order_by().annotate(code=F("newest__code"))
    return dict(coded.values_list("code").annotate(count=Count("pk")))


def _week_before(source_ids: Collection[int]) -> Totals | None:
    newest = Verdict.objects.filter(series__source_id__in=list(source_ids), is_newest=True)
    day = newest.aggregate(day=Max("day"))["day"]
    if day is None:
        return None
    past = Verdict.objects.filter(
        series__source_id__in=list(source_ids), day=day - timedelta(hours=WINDOW_HOURS)
    ).aggregate(
        rows=Count("pk"), input_tokens=Sum("input_tokens"), cached_tokens=Sum("cached_tokens")
    )
    return Totals(past["input_tokens"], past["cached_tokens"]) if past["rows"] else None


def headline(
    numbers: OverviewNumbers, *, has_source: bool, was_read: bool = True, are_pushed: bool = False
) -> str:
    """The overview's h1: what is avoidable; without a claim, how many series lose under load.

    `was_read`: an hour of the sources was read, though nothing in it may belong to a series.
    `are_pushed`: nothing is read of any of them, others push.
    """
    if not has_source:
        return "No data yet: connect an OpenAI organization to start"
    if numbers.end_hour is None:
        return _waiting(numbers, was_read=was_read, are_pushed=are_pushed)
    if numbers.active == 0:
        return "No traffic in the last 7 days"
    if numbers.avoidable != NOTHING:
        claims = [claim_of(verdict) for _, verdict in numbers.largest]
        usd = [one.usd_per_week for one in claims if one is not None and one.usd_per_week]
        return week_words(numbers.avoidable, sum(map(sum, usd)), len(usd), numbers.series)
    return _unclaimed(numbers)


def _waiting(numbers: OverviewNumbers, *, was_read: bool, are_pushed: bool) -> str:
    if was_read and numbers.series == 0:
        return "No verdict yet: the hours read so far hold no usage that could be placed"
    if are_pushed and numbers.series == 0:
        return "No verdict yet: waiting for the first push"
    if are_pushed:
        return "No verdict yet: the first one follows once an hour that was pushed has settled"
    return "No verdict yet: the first one follows the first hours that are read"


def _unclaimed(numbers: OverviewNumbers) -> str:
    """How many series lose under load; one whose verdict cannot speak of load is not said to be well."""
    counts, series, losing = dict(numbers.verdict_counts), numbers.series, numbers.losing_under_load
    too_few = counts.get(TOO_FEW, 0)
    judged = sum(counts.values()) - too_few
    if judged == 0:
        return _none_judged(too_few, series)
    untold = sum(counts.get(code, 0) for code in SILENT_ON_LOAD)
    rest = _rest_words(untold, series - judged)
    if losing:
        verb = "loses its" if losing == 1 else "lose their"
        return f"{losing:,} of {series:,} series {verb} prompt cache under load{rest}"
    if untold:
        return _untold(judged - untold, series, untold, rest)
    return _none_loses(judged, series, rest)


def _none_judged(too_few: int, series: int) -> str:
    if series == 1:
        return "The one series cannot be judged yet: it has too few hours"
    verb = "has" if too_few == 1 else "have"
    return f"No series can be judged yet: {too_few:,} of {series:,} {verb} too few hours"


def _rest_words(untold: int, unjudged: int) -> str:
    words = f"; of {untold:,} it cannot be told" if untold else ""
    return f"{words}; {unjudged:,} cannot be judged" if unjudged else words


def _untold(told: int, series: int, untold: int, rest: str) -> str:
    """None is known to lose under load, and of some it cannot be told."""
    if told:
        verb = "does not lose its" if told == 1 else "do not lose their"
        return f"{told:,} of {series:,} series {verb} prompt cache under load{rest}"
    rest = _rest_words(0, series - untold)
    if series == 1:
        return f"It cannot be told whether the one series loses its prompt cache under load{rest}"
    which = "1 series loses its" if untold == 1 else f"{untold:,} series lose their"
    return f"It cannot be told whether {which} prompt cache under load{rest}"


def _none_loses(judged: int, series: int, rest: str) -> str:
    if judged == 1:
        which = " judged" if series > judged else ""
        return f"The one{which} series does not lose its prompt cache under load{rest}"
    among = f"the {judged:,} judged" if series > judged else f"{judged:,}"
    return f"None of {among} series loses its prompt cache under load{rest}"
