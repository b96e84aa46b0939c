"""The tables of the rollouts, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tests.accuracy.report import table
from tests.accuracy.rollouts.families import FAMILIES
from tests.accuracy.rollouts.scores import (
    DAYS,
    Judged,
    coverage,
    ever_wrong,
    fair,
    harm_seen,
    partly_recognised,
    recognised,
    words_on,
)
from tests.accuracy.scores import Rate

Results = Mapping[str, Sequence[Judged]]
STATES = (
    "improved",
    "worse",
    "no-detectable-change",
    "collecting",
    "traffic-changed",
    "contaminated",
    "not-measurable",
    "suspicious",
)
TRUTHS: Mapping[str, Callable[[Judged], bool]] = {
    "a real repair": lambda one: one.real,
    "harm": lambda one: one.harmful,
    "less than that, or nothing": lambda one: not (one.real or one.harmful),
}


def pages(results: Results) -> list[str]:
    """All tables."""
    return [
        *overall(results), "", *by_day(results), "", *by_truth(results), "",
        *by_family(results["readout"]), "",
        *wrong_by_family(results),
    ]  # fmt: skip


def overall(results: Results) -> list[str]:
    """One row a judge."""
    head = (
        "judge",
        "ever wrong in 7 days",
        "real repairs improved by day 7",
        "partial ones",
        "harm called worse by day 7",
        "90 % interval holds the truth",
    )
    rows = []
    for name, judged in results.items():
        known = fair(judged)
        rates = (
            ever_wrong(known),
            recognised(known, 7),
            partly_recognised(known, 7),
            harm_seen(known, 7),
            coverage(known),
        )
        rows.append([name, *map(percent, rates)])
    return table(head, rows)


def by_day(results: Results) -> list[str]:
    """Real repairs recognised, and wrong words, by day."""
    rows = []
    for name, judged in results.items():
        known = fair(judged)
        rows.append(
            [name, "real called improved", *(short(recognised(known, day)) for day in DAYS)]
        )
        wrong = [Rate(sum(one.wrong(one.words[day]) for one in known), len(known)) for day in DAYS]
        rows.append([name, "wrong words", *map(short, wrong)])
    return table(("judge", "", *(f"day {day}" for day in DAYS)), rows)


def by_truth(results: Results) -> list[str]:
    """How often each word is said by day, beside the other judges, for what is true."""
    rows = []
    for truth, holds in TRUTHS.items():
        for word in STATES:
            parts = [[one for one in fair(judged) if holds(one)] for judged in results.values()]
            said = [[words_on(part, day)[word] for part in parts] for day in DAYS]
            if any(map(any, said)):
                count = len(parts[0])
                cells = [" / ".join(f"{100 * n / count:.0f}" for n in day) for day in said]
                rows.append([f"{truth} ({count})", word, *cells])
    head = f"% of them, {' / '.join(results)}"
    return table(("what is true", head, *(f"day {day}" for day in DAYS)), rows)


def by_family(judged: Sequence[Judged]) -> list[str]:
    """The readout's words by family and day."""
    rows = []
    for family in FAMILIES:
        part = [one for one in judged if one.family == family.name]
        for day in DAYS:
            if part:
                said = words_on(part, day)
                name = family.name if day == DAYS[0] else ""
                rows.append([name, str(day), *(str(said[word]) for word in STATES)])
    return table(("family", "day", *STATES), rows)


def wrong_by_family(results: Results) -> list[str]:
    """Ever wrong by family, one column a judge; and the cover of the intervals."""
    rows = []
    for family in FAMILIES:
        parts = {n: [j for j in judged if j.family == family.name] for n, judged in results.items()}
        if parts["readout"]:
            name = family.name if family.fair else f"{family.name} (cannot be told apart)"
            rows.append(
                [
                    name,
                    str(len(parts["readout"])),
                    *(short(ever_wrong(part)) for part in parts.values()),
                    short(coverage(parts["readout"])),
                ]
            )
    head = ("family", "n", *(f"ever wrong: {name}" for name in results), "interval holds")
    return table(head, rows)


def errors(judged: Sequence[Judged]) -> list[str]:
    """One line a rollout with a wrong word or a real repair that was not recognised."""
    return [
        f"{one.family} {one.seed}: {dict(one.words)}; truth {one.gains[0]:+.3f} own "
        f"{one.gains[1]:+.3f} all; measured {one.change if one.change is None else round(one.change, 3)}"
        f" {one.reasons}"
        for one in judged
        if one.ever_wrong
        or (one.real and one.words[7] != "improved")
        or (one.harmful and one.words[7] != "worse")
    ]


def percent(found: Rate) -> str:
    """A rate with its interval and count."""
    if not found.n:
        return "none"
    low, high = found.interval
    return f"{found.value:.1%} ({low:.1%} to {high:.1%}) of {found.n}"


def short(found: Rate) -> str:
    """A rate alone."""
    return f"{found.value:.1%}" if found.n else "none"
