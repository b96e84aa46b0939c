"""A week of stored and classified usage, and a clock that stands two hours after it."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.utils import timezone

from cachewatch.accounts.models import User
from cachewatch.verdicts.services import classify_past_days, classify_stale
from ingest import services
from ingest.models import Project, Series, Source
from tests.cachewatch.api.calls import work_on
from tests.cachewatch.people import Caller, token_caller
from tests.cachewatch.verdicts.histories import days, falling, flat_low, store_hours
from tests.factories import HOUR, at, make_run

WEEK_END = HOUR + 168


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """Every view reads Django's clock; here it stands at 02:10 after the week."""
    now = at(WEEK_END + 2, 10)
    monkeypatch.setattr(timezone, "now", lambda: now)
    return now


@pytest.fixture
def warehouse(db: None, clock: datetime) -> Source:
    """A source that hours are pushed to."""
    kind = Source.Kind.BUCKETS
    return services.add_pushed_source(name="Warehouse", kind=kind, now=at(HOUR))


@pytest.fixture
def tool(alice: User, warehouse: Source) -> Caller:
    """What pushes to it."""
    return token_caller(alice, "push")


def store_week(source: Source, now: datetime) -> None:
    """proj_a falls with load, proj_b and the null project are flat and low; all are classified."""
    store_hours(
        source,
        days(0, 7),
        falling,
        read_at_hour=WEEK_END + 2,
        proj_b=flat_low,
        none=flat_low,
    )
    Project.objects.create(source=source, project_id="proj_a", name="rag-answer")
    classify_stale([source], now=now)


@pytest.fixture
def week(acme: Source, clock: datetime) -> Source:
    """acme with one week of three series."""
    store_week(acme, clock)
    return acme


@pytest.fixture
def fortnight(acme: Source, clock: datetime, monkeypatch: pytest.MonkeyPatch) -> Source:
    """acme with two weeks; the clock stands two hours after the second."""
    store_hours(acme, days(0, 7), flat_low)
    store_hours(acme, days(7, 14), falling)
    now = at(WEEK_END + 168 + 2, 10)
    monkeypatch.setattr(timezone, "now", lambda: now)
    classify_stale([acme], now=now)
    classify_past_days([acme], now=now)
    return acme


@pytest.fixture
def places(acme: Source) -> dict[str, int]:
    """One series and one run of acme, and a repair with its readout."""
    series = Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    return {"series": series.pk, "run": make_run(acme).pk, **work_on(series)}
