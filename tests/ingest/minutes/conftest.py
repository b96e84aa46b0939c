"""A simulated organization over HTTP, and its busiest series."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ingest.models import Series
from tests.ingest.minutes.minutes_asked import busiest_series, organization_served


@pytest.fixture(scope="package")
def base_url() -> Iterator[str]:
    with organization_served() as url:
        yield url


@pytest.fixture
def series(base_url: str, db: None) -> Series:
    return busiest_series(base_url)
