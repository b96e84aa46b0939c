"""The rows of a series hang together, in whatever order its days were written."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest

from cachewatch.verdicts.history import Columns, write_verdicts
from cachewatch.verdicts.models import Verdict
from ingest.models import Series, Source
from tests.factories import at

FIRST = date(2026, 11, 2)
Codes = Mapping[int, str]  # place of the day -> code
FACTS = {"end_hour": 24, "cut": 0, "rules": "r", "thresholds": "t", "by_minutes": False}


def columns(series: Series, day: int, code: str, **others: Any) -> Columns:
    """A row of a day, with the evidence of that day and code."""
    names = [field.column for field in Verdict._meta.concrete_fields]
    given = {
        "series_id": series.pk,
        "day": FIRST + timedelta(days=day),
        "code": code,
        "published_state": code,
        "window_start_hour": 0,
        "window_end_hour": 168,
        "linked_hours": 100,
        "excluded": {},
        "flags": ("low",),
        "evidence": {"day": day, "code": code},
        "window_facts": FACTS,
        "rules_version": "r",
        "thresholds_key": "t",
        "data_version": 1,
        "decided_at": at(0),
    }
    return dict.fromkeys(names) | given | others


def expected(codes: Codes) -> list[tuple[Any, ...]]:
    """Day, code, first day of its run, code before a flip, newest, has evidence: by the definition."""
    rows = []
    for day in sorted(codes):
        start = day
        while codes.get(start - 1) == codes[day]:
            start -= 1
        before = codes.get(day - 1, codes[day])
        flipped = before if before != codes[day] else ""
        newest = day == max(codes)
        rows.append((day, codes[day], start, flipped, newest, newest or start == day))
    return rows


def found(series: Series) -> list[tuple[Any, ...]]:
    """The same of the stored rows, whose evidence must be of their own day and code."""
    rows = []
    for row in Verdict.objects.filter(series=series).order_by("day"):
        day = (row.day - FIRST).days
        assert row.evidence in (None, {"day": day, "code": row.code})
        since = (row.since_day - FIRST).days
        rows.append((day, row.code, since, row.flipped_from, row.is_newest, bool(row.evidence)))
    return rows


@pytest.fixture
def two_series(source: Source) -> list[Series]:
    """Two series of one source."""
    return [Series.objects.create(source=source, model=name) for name in ("gpt-5.4", "gpt-5.5")]


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(12))
def test_days_written_in_any_order_form_the_runs_that_their_codes_have(
    two_series: list[Series], seed: int
) -> None:
    drawn = random.Random(seed)
    codes: list[dict[int, str]] = [{}, {}]
    for _ in range(10):
        written = []
        for place, series in enumerate(two_series):
            for day in drawn.sample(range(9), drawn.choice((0, 1, 1, 2, 4))):
                codes[place][day] = drawn.choice("aab")
                written.append(columns(series, day, codes[place][day]))
        write_verdicts(written)
        for place, series in enumerate(two_series):
            # What gave its evidence away in the middle of a run has none when a flip moves there.
            rows = found(series)
            assert [row[:5] for row in rows] == [row[:5] for row in expected(codes[place])]
            assert all(
                not has or may
                for (*_, has), (*_, may) in zip(rows, expected(codes[place]), strict=True)
            )


@pytest.mark.django_db
def test_a_row_written_again_gives_way_and_a_new_day_takes_the_evidence_of_the_day_before(
    two_series: list[Series],
) -> None:
    series = two_series[0]
    for day in (0, 0, 1, 2, 2):
        write_verdicts([columns(series, day, "a")])
        write_verdicts([columns(series, day, "a")])
    assert found(series) == expected({0: "a", 1: "a", 2: "a"})
    write_verdicts([columns(series, 3, "b")])
    assert found(series) == expected({0: "a", 1: "a", 2: "a", 3: "b"})


@pytest.mark.django_db
def test_values_are_stored_as_they_are(two_series: list[Series]) -> None:
    numbers = {"text": 'a "b" \\ \t\n é', "share": 0.1 + 0.2, "small": 5e-324, "none": None}
    given = columns(
        two_series[0],
        0,
        "a",
        rho=np.float64(-0.1),
        quiet_share=1e22,
        evidence=numbers | {"numpy": np.float64(2 / 3), "pair": (1, 2.5)},
    )
    write_verdicts([given])
    row = Verdict.objects.get()
    assert (row.rho, row.quiet_share, row.busy_share) == (-0.1, 1e22, None)
    assert row.evidence == numbers | {"numpy": 2 / 3, "pair": [1, 2.5]}
    assert (row.flags, row.excluded, row.avoidable_basis) == (["low"], {}, None)


@pytest.mark.django_db
def test_a_value_that_is_no_part_of_a_record_is_refused(two_series: list[Series]) -> None:
    with pytest.raises(TypeError, match="no value of a record"):
        write_verdicts([columns(two_series[0], 0, "a", evidence={"flag": np.bool_(True)})])
