"""A push while its source is paused, removed or deleted: taken whole before it, or refused whole."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count

import pytest
from django.db import connection, transaction

from ingest import services
from ingest.models import PushedHour, PushedRequest, Source, SourceHour
from ingest.services import PushRefused, SourceRemoved
from tests.factories import HOUR
from tests.ingest.pushing.rows import NOW, gateway, request_row

pytestmark = pytest.mark.django_db(transaction=True)
PUSHERS = 4
BATCHES_BEFORE = 3  # of each pusher, until the source goes


def push_one(source: Source, number: int = 1) -> None:
    try:
        services.push_requests(source, [request_row(number)], now=NOW)
    finally:
        connection.close()


def push_hour(source: Source) -> None:
    hour = {"start_time": HOUR * 3600, "rows": []}
    try:
        services.push_hours(source, [hour], now=NOW)
    finally:
        connection.close()


def warehouse() -> Source:
    return services.add_pushed_source(name="Vendor", kind=Source.Kind.BUCKETS, now=NOW)


def pushed_during(
    change: Callable[[Source], object], push: Callable[[Source], None], source: Source
) -> Future[None]:
    """A push that looked its source up before a change of it, and came to write after it."""
    before = Source.objects.get(pk=source.pk)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            change(source)
            pushing = pool.submit(push, before)
            with pytest.raises(TimeoutError):
                pushing.result(0.5)
        pushing.exception(60)
    return pushing


def removed(source: Source) -> None:
    services.remove_source(source, now=NOW)


def paused(source: Source) -> None:
    services.update_source(source, now=NOW, paused=True)


@pytest.mark.parametrize(("make", "push"), [(gateway, push_one), (warehouse, push_hour)])
def test_a_push_whose_source_is_removed_meanwhile_is_refused_and_leaves_nothing(
    make: Callable[[], Source], push: Callable[[Source], None]
) -> None:
    with pytest.raises(SourceRemoved, match="was removed meanwhile"):
        pushed_during(removed, push, make()).result()
    assert not PushedRequest.objects.exists()
    assert not PushedHour.objects.exists()
    assert not SourceHour.objects.exists()


@pytest.mark.parametrize(("make", "push"), [(gateway, push_one), (warehouse, push_hour)])
def test_a_push_whose_source_is_paused_meanwhile_is_refused(
    make: Callable[[], Source], push: Callable[[Source], None]
) -> None:
    with pytest.raises(PushRefused, match="is paused"):
        pushed_during(paused, push, make()).result()
    assert not PushedHour.objects.exists()
    assert not SourceHour.objects.exists()


def test_pushes_go_on_until_their_source_is_deleted_and_nothing_of_them_stays() -> None:
    source = gateway()
    numbers = count()

    def push_on(_pusher: int) -> int:
        for taken in count():
            try:
                push_one(source, next(numbers))
            except SourceRemoved:
                return taken
        raise AssertionError

    with ThreadPoolExecutor(PUSHERS) as pool:
        pushing = [pool.submit(push_on, pusher) for pusher in range(PUSHERS)]
        while PushedRequest.objects.count() < PUSHERS * BATCHES_BEFORE:
            assert not any(one.done() for one in pushing)
        gone = Source.objects.get(pk=source.pk)
        services.remove_source(gone, now=NOW)
        services.delete_removed_source(gone)
        taken = [one.result(60) for one in pushing]
    assert sum(taken) >= PUSHERS * BATCHES_BEFORE
    assert not PushedRequest.objects.exists()
    assert not PushedHour.objects.exists()
    assert not Source.objects.exists()
