"""What is looked at each minute follows what changed, and finds what a look at everything finds."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from cachewatch.accounts.errors import FieldProblem
from cachewatch.analysis.cache_generation import EXTENDED, FROM_5_6, GPT_5_5, UP_TO_5_4
from cachewatch.rollouts import due
from cachewatch.rollouts.errors import RolloutError
from cachewatch.rollouts.measuring import Hours, hours_of, moment
from cachewatch.rollouts.models import Marker, Readout
from cachewatch.rollouts.queries import markers_near, readouts_in_force
from cachewatch.rollouts.services import (
    NewMarker,
    change_marker,
    decide,
    delete_marker,
    measure_due,
    record_marker,
    reopen,
)
from cachewatch.rollouts.services.noticing import LONGEST_WASHOUT
from cachewatch.rollouts.services.readouts import _due, open_readouts
from cachewatch.rollouts.targets import project_target, series_target, source_target
from ingest.models import Reject, Source, SourceHour
from ingest.queries import complete_to
from ingest.store import store_usage
from tests.cachewatch.rollouts.histories import SHIPPED_DAY, store_repair
from tests.cachewatch.rollouts.test_readouts import after_days, restate, ship
from tests.factories import GROUPING, HOUR, at, hourly_usage, usage_row

PROJECTS = ("proj_a", "proj_b")
KINDS = ("key-shipped", "prefix-changed", "retention-changed", "deploy")
STEPS = 16


def look_at_everything(source: Source, settled: int) -> list[int]:
    """The plain way: every readout in force, its hours counted one by one."""
    found = []
    for one in readouts_in_force().filter(series__source=source).order_by("pk"):
        span = hours_of(one.rollout.marker, one.series.model)
        frozen = one.settled_hour if one.outcome else None
        now_hour = min(settled, span.end) if frozen is None else frozen
        hours = SourceHour.objects.filter(source=source, hour__gte=span.start, hour__lt=now_hour)
        (_, revision), *_ = due._read_and_restated(source.pk, [one], [Hours(span.start, now_hour)])
        near = markers_near(source.pk, moment(span.start), moment(span.end))
        key = due._key(one.rollout.marker, near, now_hour, len(hours), revision)
        if due.Inputs(near, now_hour, key).make_due(one):
            found.append(one.pk)
    return found


class RandomWeeks:
    """Some weeks of one source in random steps: stores, markers, decisions, each at a later time."""

    def __init__(self, source: Source, seed: int) -> None:
        self.source, self.draw = source, random.Random(seed)
        self.hour = HOUR + 24 * 20
        self.read(HOUR, self.hour)
        for _ in range(3):
            self.post()

    @property
    def now(self) -> datetime:
        return at(self.hour + 2, 5)

    def read(self, start: int, end: int, partly: bool = False) -> None:
        """Hours as they are sent now, every time with other numbers in a few of them."""
        rows = [
            usage_row(hour, project_id=name, cached_tokens=400 + self.draw.choice((0, 0, 0, 1)))
            for hour in range(start, end)
            for name in PROJECTS
        ]
        hours = range(start, end)
        usage = hourly_usage(rows, covered=() if partly else hours, partly=hours if partly else ())
        store_usage(self.source, usage, run=None, grouping=GROUPING, now=self.now)

    def next_hours(self) -> None:
        start = self.hour
        self.hour += self.draw.choice((1, 5, 24, 24 * 9))
        self.read(start - 48, self.hour)

    def read_old_hours(self) -> None:
        start = self.draw.randrange(HOUR - 24 * 30, self.hour - 48)
        self.read(start, start + self.draw.randrange(1, 48))

    def forget_an_hour(self) -> None:
        hour = self.draw.randrange(HOUR, self.hour - 48)
        SourceHour.objects.filter(source=self.source, hour=hour).delete()
        given = {"dimensions": "", "field": "row", "place": "p", "reason": "r"}
        times = {"first_seen_at": self.now, "last_seen_at": self.now}
        Reject.objects.update_or_create(source=self.source, hour=hour, defaults=given | times)

    def post(self) -> None:
        name = self.draw.choice(PROJECTS)
        target = self.draw.choice(
            (
                series_target(self.source, name, "gpt-5.4"),
                project_target(self.source, name),
                source_target(self.source),
            )
        )
        starts_at = at(self.draw.randrange(self.hour - 24 * 30, self.hour + 24 * 9))
        length = self.draw.choice((None, timedelta(minutes=90), timedelta(days=20)))
        new = NewMarker(
            target, self.draw.choice(KINDS), starts_at, starts_at + length if length else None
        )
        with suppress(RolloutError):
            record_marker(new, by=None, now=self.now)

    def change(self) -> None:
        markers = list(Marker.objects.filter(deleted_at__isnull=True).order_by("pk"))
        if not markers:
            return
        marker = self.draw.choice(markers)
        by = timedelta(hours=self.draw.randrange(-900, 900))
        moved = {"starts_at": marker.starts_at + by, "ends_at": None}
        noted = {"note": f"seen at {self.now}"}
        with suppress(RolloutError, FieldProblem):
            if self.draw.random() < 0.3:
                delete_marker(marker, by=None, now=self.now)
            else:
                change_marker(marker, self.draw.choice((moved, noted)), by=None, now=self.now)

    def decide_or_reopen(self) -> None:
        for one in readouts_in_force().filter(document__isnull=False).order_by("pk"):
            if self.draw.random() < 0.5:
                continue
            if one.outcome:
                reopen(one, by=None, now=self.now)
            else:
                # As decide() leaves it, whatever the state is.
                Readout.objects.filter(pk=one.pk).update(outcome="works", decided_at=self.now)

    def step(self) -> None:
        self.draw.choice(
            (
                self.next_hours,
                self.next_hours,
                self.read_old_hours,
                self.forget_an_hour,
                self.post,
                self.change,
                self.decide_or_reopen,
            )
        )()
        if self.draw.random() < 0.2:
            self.source.settle_minutes = self.draw.choice((60, 120, 600))
            self.source.save()


@pytest.mark.parametrize("seed", range(2))
def test_what_was_noticed_is_what_a_look_at_everything_finds(acme: Source, seed: int) -> None:
    weeks = RandomWeeks(acme, seed)
    found = 0
    for _step in range(STEPS):
        weeks.step()
        weeks.hour += weeks.draw.choice((0, 0, 1))
        settled = complete_to([acme.pk], now=weeks.now).get(acme.pk)
        assert settled is not None
        for rollout in due.rollouts_to_open(acme, weeks.now):
            open_readouts(rollout, now=weeks.now)
        wanted = look_at_everything(acme, settled)
        assert [sorted(_due(acme, settled)) for _ in range(2)] == [wanted] * 2
        found += len(wanted)
        measure_due(acme, now=weeks.now, most=weeks.draw.choice((0, 2, 6)))
    assert found >= STEPS


def test_what_was_decided_long_ago_is_not_loaded_while_new_hours_come(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 5)
    now = after_days(5)
    ship(acme, now)
    measure_due(acme, now=now)
    decide(Readout.objects.get(), "works", "r", by=None, now=now)
    measure_due(acme, now=now)
    later = HOUR + 24 * 100
    read_whole(acme, range(later - 48, later))
    assert measure_due(acme, now=at(later + 2)) == 0
    assert due.maybe_due(acme) == []
    restate(acme, lambda _load: 0.2)
    SourceHour.objects.filter(hour__lt=later - 48).update(fetched_at=at(later + 3))
    assert measure_due(acme, now=at(later + 3)) == 1


def test_what_was_noticed_before_is_no_news_at_the_next_look(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 5)
    now = after_days(5)
    ship(acme, now)
    measure_due(acme, now=now)
    measure_due(acme, now=now)
    with CaptureQueriesContext(connection) as seen:
        assert measure_due(acme, now=now) == 0
    assert [one["sql"] for one in seen if one["sql"].startswith("UPDATE")] == []
    assert due.maybe_due(acme) == []
    restate(acme, lambda _load: 0.2)
    assert measure_due(acme, now=now) == 1


@pytest.mark.django_db(transaction=True)
def test_what_changes_while_a_readout_is_measured_has_it_looked_at_again(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 5)
    now = after_days(5)
    ship(acme, now)
    measure_due(acme, now=now)
    Readout.objects.update(may_be_due=True)
    settled = complete_to([acme.pk], now=now)[acme.pk]

    def look() -> list[int]:
        try:
            return _due(acme, settled)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            measured = Readout.objects.select_for_update().get()
            measured.may_be_due = False
            measured.save()
            restate_elsewhere = pool.submit(restate_and_close, acme)
            restate_elsewhere.result()
            looked = pool.submit(look)
            while not looked.done() and not somebody_waits():
                time.sleep(0.05)
        assert looked.result() == [measured.pk]
    assert due.maybe_due(acme) == [measured]


def restate_and_close(source: Source) -> None:
    restate(source, lambda _load: 0.2)
    connection.close()


def somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN"
            " (SELECT pid FROM pg_stat_activity WHERE datname = current_database())"
        )
        return bool(cursor.fetchone()[0])


def read_whole(source: Source, hours: range) -> None:
    usage = hourly_usage([usage_row(hour) for hour in hours], covered=hours)
    store_usage(source, usage, run=None, grouping=GROUPING, now=at(hours[-1] + 2))


def test_a_look_costs_the_same_queries_whatever_changed(acme: Source) -> None:
    weeks = RandomWeeks(acme, 1)
    counts = set()
    for step in (weeks.next_hours, weeks.post, weeks.post, weeks.read_old_hours, weeks.post):
        step()
        with CaptureQueriesContext(connection) as seen:
            assert _due(acme, weeks.hour)
        counts.add(len(seen))
    assert len(counts) == 1


def test_no_washout_is_longer_than_what_is_noticed() -> None:
    lifetimes = [one.lifetime for one in (UP_TO_5_4, GPT_5_5, FROM_5_6)] + [EXTENDED]
    assert all(timedelta(minutes=one.usual[1]) <= LONGEST_WASHOUT for one in lifetimes)
