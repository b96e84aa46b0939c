"""Ingest, revision and verdict against a naive model: any order of answers, kills and looks."""

from __future__ import annotations

import os
import random
from collections import Counter
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.services import classify_stale
from ingest.models import BucketRevision, Series, SourceHour, UsageBucket
from ingest.normalise import UsageRow
from ingest.store import store_usage
from tests.cachewatch.analysis.naive_rule import Hour, judge
from tests.factories import GROUPING, HOUR, at, hourly_usage, make_source, usage_row

SETTLE_HOURS = 1
# Less than a week, so that every hour is within the window of every verdict.
LAST_HOUR = HOUR + 150
PROJECTS, KEYS = ("proj_a", None), ("key_1", "key_2")
EXAMPLES = int(os.environ.get("CACHEWATCH_MACHINE_EXAMPLES", "12"))
_names = count()


class Counts(NamedTuple):
    requests: int
    input_tokens: int
    cached_tokens: int


Answer = dict[tuple[str | None, str], Counts]


class Killed(Exception):  # noqa: N818 -- what happened
    """The process dies before its transaction is committed."""


class IngestMachine(RuleBasedStateMachine):
    """The model: the last whole answer of each hour, when it came, and how often it changed."""

    def __init__(self) -> None:
        super().__init__()
        self.source = make_source(f"machine-{next(_names)}")
        self.now_hour = HOUR + 3
        self.answers: dict[int, Answer] = {}
        self.read_at: dict[int, int] = {}
        self.revisions: Counter[tuple[str | None, int]] = Counter()
        self.seen: set[str | None] = set()

    @rule(hours=st.integers(1, 40))
    @precondition(lambda self: self.now_hour < LAST_HOUR)
    def time_passes(self, hours: int) -> None:
        self.now_hour = min(self.now_hour + hours, LAST_HOUR)

    @rule(back=st.integers(1, 60), length=st.integers(1, 60), seed=st.integers(0, 3))
    def an_answer_is_stored(self, back: int, length: int, seed: int) -> None:
        answer = self._answer(back, length, seed)
        self._store(answer)
        self._learn(answer)

    @rule(back=st.integers(1, 60), length=st.integers(1, 60), seed=st.integers(0, 3))
    def a_process_dies_amid_a_store(self, back: int, length: int, seed: int) -> None:
        with suppress(Killed), transaction.atomic():
            self._store(self._answer(back, length, seed))
            raise Killed

    @rule(back=st.integers(1, 60), length=st.integers(1, 60), seed=st.integers(0, 3))
    def the_same_answer_comes_twice(self, back: int, length: int, seed: int) -> None:
        answer = self._answer(back, length, seed)
        self._store(answer)
        self._learn(answer)
        versions = self._versions()
        assert self._store(answer)[:3] == (0, 0, 0)
        assert self._versions() == versions

    @rule(data=st.data())
    @precondition(lambda self: self.answers)
    def a_row_is_restated(self, data: st.DataObject) -> None:
        hour = data.draw(st.sampled_from(sorted(self.answers)))
        key = (data.draw(st.sampled_from(PROJECTS)), data.draw(st.sampled_from(KEYS)))
        requests = data.draw(st.integers(1, 900))
        answer = {
            hour: self.answers[hour] | {key: Counts(requests, requests * 500, requests * 100)}
        }
        self._store(answer)
        self._learn(answer)

    @rule()
    def series_are_classified(self) -> None:
        now = at(self.now_hour, 2)
        classify_stale([self.source], now=now)
        assert classify_stale([self.source], now=now) == 0
        end = self._complete_to()
        newest = Verdict.objects.filter(series__source=self.source, is_newest=True)
        found = {one.series.project_id: one for one in newest.select_related("series")}
        assert set(found) == (self.seen if end is not None else set())
        for project, verdict in found.items():
            assert (verdict.window_end_hour, verdict.data_version) == (
                end,
                verdict.series.data_version,
            )
            self._compare(project, verdict)

    @invariant()
    def the_rows_are_those_of_the_last_answer_of_each_hour(self) -> None:
        rows = UsageBucket.objects.filter(slice__series__source=self.source).values_list(
            "hour", "slice__series__project_id", "slice__api_key_id",
            "requests", "input_tokens", "cached_tokens",
        )  # fmt: skip
        assert sorted(rows, key=repr) == sorted(
            (
                (hour, *key, *counts)
                for hour, one in self.answers.items()
                for key, counts in one.items()
            ),
            key=repr,
        )
        hours = SourceHour.objects.filter(source=self.source).values_list("hour", flat=True)
        assert set(hours) == set(self.answers)

    @invariant()
    def every_change_of_a_settled_hour_is_a_revision_and_nothing_else_is(self) -> None:
        found = BucketRevision.objects.filter(series__source=self.source)
        pairs = found.values_list("series__project_id", "hour")
        assert Counter(pairs) == +self.revisions

    @invariant()
    def first_and_last_hour_of_each_series_are_those_of_its_rows(self) -> None:
        for series in Series.objects.filter(source=self.source):
            hours = [
                hour
                for hour, one in self.answers.items()
                if any(project == series.project_id for project, _ in one)
            ]
            span = (min(hours), max(hours)) if hours else (None, None)
            assert (series.first_hour, series.last_hour) == span

    def _answer(self, back: int, length: int, seed: int) -> dict[int, Answer]:
        """Whole hours up to the last one that is over; a seed stands for one state of the provider."""
        start = max(HOUR, self.now_hour - back)
        return {
            hour: _made(hour, seed) for hour in range(start, min(start + length, self.now_hour))
        }

    def _store(self, answer: dict[int, Answer]) -> Any:
        rows = [
            _row(hour, key, counts) for hour, one in answer.items() for key, counts in one.items()
        ]
        usage = hourly_usage(rows, covered=answer)
        now = at(self.now_hour, 2)
        return store_usage(self.source, usage, run=None, grouping=GROUPING, now=now)

    def _learn(self, answer: dict[int, Answer]) -> None:
        for hour, one in answer.items():
            if self._settled(hour):
                for project in PROJECTS:
                    if _total(self.answers[hour], project) != _total(one, project):
                        self.revisions[project, hour] += 1
            self.answers[hour], self.read_at[hour] = one, self.now_hour
            self.seen |= {project for project, _ in one}

    def _settled(self, hour: int) -> bool:
        """Read at two minutes past an hour: later than an hour after its end."""
        return hour in self.read_at and self.read_at[hour] >= hour + 1 + SETTLE_HOURS

    def _complete_to(self) -> int | None:
        return max((hour + 1 for hour in self.answers if self._settled(hour)), default=None)

    def _versions(self) -> list[tuple[int, int]]:
        series = Series.objects.filter(source=self.source).order_by("pk")
        return list(series.values_list("pk", "data_version"))

    def _compare(self, project: str | None, verdict: Verdict) -> None:
        """The numbers of the verdict, added up anew, and its published state where no hour lacks."""
        end = verdict.window_end_hour
        hours = [
            Hour(hour, *total)
            for hour in sorted(self.answers)
            if hour < end and self._settled(hour) and (total := _total(self.answers[hour], project))
        ]
        sums = [
            sum(values) for values in zip(*(hour[1:] for hour in map(_tuple, hours)), strict=True)
        ]
        stored = [verdict.requests, verdict.input_tokens, verdict.cached_tokens]
        assert stored == (sums or [None] * 3)
        busy = {hour.index for hour in hours}
        assert verdict.linked_hours == len([hour for hour in hours if hour.index - 1 in busy])
        first = min(busy, default=end)
        if all(self._settled(hour) for hour in range(first - 1, end)):
            assert verdict.published_state == judge(hours).state


def _tuple(hour: Hour) -> tuple[int, int, int, int]:
    return (hour.index, hour.requests, hour.input_tokens, hour.cached_tokens)


def _total(answer: Answer, project: str | None) -> Counts | None:
    found = [counts for (name, _), counts in answer.items() if name == project]
    return Counts(*map(sum, zip(*found, strict=True))) if found else None


def _row(hour: int, key: tuple[str | None, str], counts: Counts) -> UsageRow:
    project, api_key = key
    return usage_row(
        hour, project_id=project, api_key_id=api_key, uncached_tokens=None, **counts._asdict()
    )


def _made(hour: int, seed: int) -> Answer:
    """What the provider says of an hour in one of its states: idle hours, falling and flat shares."""
    made = random.Random(f"{hour} {seed // 2}")
    answer: Answer = {}
    for project in PROJECTS:
        if made.random() < 0.08:
            continue
        load = made.randint(10, 1_000)
        share = 0.8 - load / 1_500 if project else 0.1
        for number, key in enumerate(KEYS[: made.randint(1, 2)]):
            requests = load + number + (seed % 2) * (hour % 7 == 0)
            answer[project, key] = Counts(
                requests, requests * 2_000, round(requests * 2_000 * share)
            )
    return answer


@pytest.mark.django_db
def test_any_order_of_answers_kills_and_looks_agrees_with_the_naive_model() -> None:
    connection.ensure_connection()
    run_state_machine_as_test(
        IngestMachine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=14,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
