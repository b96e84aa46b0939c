"""The newest stored requests of a series are found without a look at those of others."""

from __future__ import annotations

from django.db import connection

from ingest.models import Series, Source
from ingest.queries.stored_requests import _newest, _since, stored_requests
from tests.factories import HOUR, at

_MANY = """
INSERT INTO ingest_pushedrequest (source_id, request_hash, hour, time, project_id, model,
    without_key, arms, left_out, received_at)
SELECT %s, decode(lpad(to_hex(n), 32, '0'), 'hex'), %s, %s::timestamptz + make_interval(secs => n),
    'p' || n %% 40, 'm', false, '{}', '', now()
FROM generate_series(1, 8000) n
"""


def series_among_many(source: Source) -> Series:
    """One of 40, each with 200 requests, 40 seconds apart."""
    with connection.cursor() as cursor:
        cursor.execute(_MANY, [source.pk, HOUR, at(HOUR)])
        cursor.execute("ANALYZE ingest_pushedrequest")
    return Series.objects.create(source=source, project_id="p7", model="m")


def test_the_newest_of_a_series_are_read_oldest_first(source: Source) -> None:
    series = series_among_many(source)
    told = [one["timestamp"] for one in stored_requests(series, at(HOUR), 3)]
    last = at(HOUR).timestamp() + 7 + 199 * 40
    assert told == [last - 80, last - 40, last]
    assert len(list(stored_requests(series, at(HOUR), 500))) == 200
    assert len(list(stored_requests(series, at(HOUR, 60), 500))) == 110


def test_an_index_finds_them(source: Source) -> None:
    found = _since(series_among_many(source), at(HOUR))
    plans = [
        found.order_by("-time").values_list("time")[50:51].explain(),
        _newest(found, 50).order_by("time", "request_hash").explain(),
    ]
    assert ["pushed_request_series" in plan for plan in plans] == [True, True]
