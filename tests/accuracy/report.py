"""The tables, as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

import numpy as np

from tests.accuracy import families
from tests.accuracy.decisions import Followed
from tests.accuracy.literal import Literals, LiteralScores
from tests.accuracy.scene import Family, LeavesHome
from tests.accuracy.scores import Judged, Rate, Scores, by_days, recall_by_loss, scores, standing

Verdicts = Mapping[str, Sequence[Judged]]
FOLLOWED = {  # guilty, and whether the cause began inside the 28 days
    "innocent": (False, False),
    "guilty from the start": (True, False),
    "guilty, began later": (True, True),
}


def overall(verdicts: Verdicts) -> list[str]:
    """One row a judge: recall, false accusations, precision, acceptable words."""
    head = (
        "judge", "recall", "false accusations", "precision at 25 % guilty", "at 2 %", "acceptable"
    )  # fmt: skip
    return table(head, ([name, *_rates(scores(judged))] for name, judged in verdicts.items()))


def by_leaving_home(verdicts: Verdicts) -> list[str]:
    """The same by what sends requests away from home in the fleets of a family."""
    rows = []
    for name, judged in verdicts.items():
        for kind in get_args(LeavesHome):
            part = [one for one in judged if _family(one).leaves_home == kind]
            rows.append([name, kind, *_rates(scores(part))])
    head = (
        "judge",
        "requests leave home",
        "recall",
        "false accusations",
        "precision at 25 %",
        "at 2 %",
        "acceptable",
    )
    return table(head, rows)


def counts(judged: Sequence[Judged]) -> list[str]:
    """How many series are guilty, innocent, and neither."""
    found = Counter(one.series.truth.standing for one in judged)
    kinds = ("guilty", "innocent", "between", "everywhere", "young")
    return table(kinds, [[str(found[kind]) for kind in kinds]])


def recalls(verdicts: Verdicts) -> list[str]:
    """Recall by size of loss and, with false accusations, by length of window; one column a judge."""
    losses = {name: recall_by_loss(judged) for name, judged in verdicts.items()}
    lengths = {name: by_days(judged) for name, judged in verdicts.items()}
    first, length = next(iter(losses.values())), next(iter(lengths.values()))
    rows = [[f"recall, loss {k}", *(percent(losses[n][k]) for n in verdicts)] for k in first]
    rows += [[f"recall, {k}", *(percent(lengths[n][k].recall) for n in verdicts)] for k in length]
    rows += [
        [f"false accusations, {k}", *(percent(lengths[n][k].false_accusations) for n in verdicts)]
        for k in length
    ]
    return table(("", *verdicts), rows)


def per_family(judged: Sequence[Judged]) -> list[str]:
    """One row a family: counts, accusations, acceptable words, the words given."""
    rows = []
    for family in families.ALL:
        part = [one for one in judged if one.series.family == family.name]
        if part:
            rows.append([family.name, *_family_row(part)])
    head = (
        "family",
        "n",
        "guilty",
        "of them accused",
        "innocent",
        "of them accused",
        "acceptable",
        "words",
    )
    return table(head, rows)


def errors(judged: Sequence[Judged]) -> list[str]:
    """One line a misjudged series, for who improves the rule."""
    lines = []
    for one in judged:
        if one.wrong:
            series, loss = one.series, one.series.truth.whole
            drawn = " ".join(f"{k}={v}" for k, v in series.parameters.items())
            lines.append(
                f"{series.family} {series.seed}: {one.word}; {series.truth.standing}, "
                f"lost {loss.busy:.3f} busy {loss.quiet:.3f} quiet, share {loss.share:.3f}; {drawn}"
            )
    return lines


def ever(rates: Mapping[str, tuple[Rate, Rate]]) -> list[str]:
    """Ever accused within 28 days, one row a judge."""
    head = ("judge", "accused in any daily window", "in two of three consecutive ones")
    return table(head, ([name, *map(percent, pair)] for name, pair in rates.items()))


def literal(rates: Mapping[str, Literals]) -> list[str]:
    """Rates by the plainest definition of guilty: by run, hours and judge."""
    rows = [
        [name, definition.hours, definition.counterfactual, *map(percent, found)]
        + [precision(found, part) for part in (0.25, 0.02)]
        for name, literals in rates.items()
        for definition, found in literals.items()
    ]
    head = (
        "judge",
        "hours",
        "against",
        "recall",
        "false accusations",
        "accusations that are right",
        "precision at 25 %",
        "at 2 %",
    )
    return table(head, rows)


def decided(followed: Mapping[str, Sequence[Followed]]) -> list[str]:
    """Findings of scatter that ever opened, and were confirmed, in 28 days: by judge and truth."""
    rows = [
        [name, kind, *_opened([one for one in ones if (one.guilty, one.began) == truth])]
        for name, ones in followed.items()
        for kind, truth in FOLLOWED.items()
    ]
    head = (
        "judge",
        "truth",
        "ever an open finding",
        "ever a confirmed one",
        "days until open: median, nine in ten",
        "days until confirmed",
    )
    return table(head, rows)


def wrongly_open(followed: Mapping[str, Sequence[Followed]]) -> list[str]:
    """The families of innocent series on which a finding was ever open; one row a judge."""
    rows = []
    for name, ones in followed.items():
        innocent = [one for one in ones if not one.guilty]
        of = Counter(one.family for one in innocent)
        hit = Counter(one.family for one in innocent if one.open_days is not None)
        said = ", ".join(f"{k} {n} of {of[k]}" for k, n in hit.most_common())
        rows.append([name, said or "-"])
    return table(("judge", "innocent families with an open finding"), rows)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table, columns padded."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    padded = ["| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in lines]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return [padded[0], rule, *padded[1:]]


def _opened(ones: Sequence[Followed]) -> list[str]:
    columns = ([one.open_days for one in ones], [one.confirmed_days for one in ones])
    known = [[days for days in column if days is not None] for column in columns]
    rates = [percent(Rate(len(days), len(ones))) for days in known]
    return [*rates, *map(_waits, known)]


def _waits(days: Sequence[float]) -> str:
    """The median and the nine-in-ten quantile, "-" of nothing."""
    if not days:
        return "-"
    return ", ".join(f"{np.quantile(days, part):.1f}" for part in (0.5, 0.9))


def _family_row(part: Sequence[Judged]) -> list[str]:
    guilty, innocent = standing(part, "guilty"), standing(part, "innocent")
    words = Counter(one.word for one in part).most_common()
    acceptable = sum(one.acceptable for one in part)
    return [
        str(len(part)),
        str(len(guilty)),
        str(sum(one.accused for one in guilty)),
        str(len(innocent)),
        str(sum(one.accused for one in innocent)),
        f"{acceptable / len(part):.0%}",
        ", ".join(f"{word} {count}" for word, count in words),
    ]


def _rates(found: Scores) -> list[str]:
    precisions = (precision(found, part) for part in (0.25, 0.02))
    return [
        percent(found.recall),
        percent(found.false_accusations),
        *precisions,
        percent(found.acceptable),
    ]


def percent(found: Rate) -> str:
    """A rate in percent with its interval and count; "-" of nothing."""
    if not found.n:
        return "-"
    value, low, high = (f"{100 * part:.1f}" for part in (found.value, *found.interval))
    return f"{value} % ({low} to {high}) of {found.n}"


def precision(found: Scores | LiteralScores, guilty_part: float) -> str:
    """The precision where so many are guilty; "-" where nobody is accused."""
    value = found.precision(guilty_part)
    return "-" if np.isnan(value) else f"{value:.3f}"


def _family(one: Judged) -> Family:
    return families.BY_NAME[one.series.family]
