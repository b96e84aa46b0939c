"""Pushed hours after their retention: rows are deleted, what was counted stays."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ingest import services
from ingest.models import (
    BucketRevision,
    PushedHour,
    PushedRequest,
)
from tests.factories import HOUR, at
from tests.ingest.pushing.rows import (
    buckets,
    count,
    gateway,
    push,
    request_row,
)

pytestmark = pytest.mark.django_db


def test_after_the_retention_rows_are_deleted_and_the_hour_stays_as_it_was_counted() -> None:
    source = gateway()
    push(source, request_row(1, at(HOUR, 10)), request_row(2, at(HOUR + 5, 10)))
    count(source)
    before = buckets()
    day_31 = at(HOUR + 1 + 24 * 30)
    assert services.forget_old_requests(source, now=day_31 - timedelta(seconds=1)) == 0
    assert services.forget_old_requests(source, now=day_31) == 1
    assert [row.hour for row in PushedRequest.objects.all()] == [HOUR + 5]
    push(source, request_row(3, at(HOUR + 24 * 29)), now=day_31)
    count(source, day_31)
    assert buckets()[:2] == before
    assert not BucketRevision.objects.exists()


def test_an_hour_that_is_not_counted_yet_is_not_frozen() -> None:
    source = gateway()
    push(source, request_row(1))
    day_31 = at(HOUR + 1 + 24 * 30)
    assert services.forget_old_requests(source, now=day_31) == 0
    count(source, day_31)
    assert services.forget_old_requests(source, now=day_31) == 1
    assert [row[0] for row in buckets()] == [HOUR]


def test_a_frozen_hour_that_was_never_settled_stays_as_it_was_counted() -> None:
    source = gateway()
    push(source, request_row(1))
    day_31 = at(HOUR + 1 + 24 * 30)
    count(source, day_31)
    services.forget_old_requests(source, now=day_31)
    push(source, request_row(2, day_31), now=day_31)
    count(source, day_31)
    assert buckets()[0] == (HOUR, 1, 4_000, 1_000, 50)
    answers = services.push_requests(source, [request_row(3)], now=at(HOUR + 10))
    assert answers[0].reason.startswith("timestamp is older than 30 days: its hour is frozen")


def test_a_frozen_hour_is_forgotten_after_another_retention_and_late_rows_still_stay_out() -> None:
    source = gateway()
    push(source, request_row(1))
    frozen_at, forgotten_at = at(HOUR + 1 + 24 * 30), at(HOUR + 1 + 24 * 60)
    count(source, frozen_at)
    services.forget_old_requests(source, now=frozen_at)
    services.forget_old_requests(source, now=forgotten_at - timedelta(seconds=1))
    assert PushedHour.objects.count() == 1
    services.forget_old_requests(source, now=forgotten_at)
    assert not PushedHour.objects.exists()
    answers = services.push_requests(source, [request_row(2)], now=forgotten_at)
    assert answers[0].reason.startswith("timestamp is older than 30 days: its hour is frozen")
    assert count(source, forgotten_at) == 0
    assert buckets() == [(HOUR, 1, 4_000, 1_000, 50)]
