"""Shared by all tests: the actors and the first stored things."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
import redis
from celery import current_app
from django.conf import settings
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from ingest.models import Source
from tests import factories

# No speed is asserted, on a slow machine neither, and a run of the same code finds the same.
# HYPOTHESIS_PROFILE=search looks for new examples.
hypothesis_settings.register_profile(
    "search", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.register_profile(
    "same", hypothesis_settings.get_profile("search"), derandomize=True
)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """A database of the throw-away server goes with that server: dropping it by itself fails where
    a backend, or an autovacuum worker, is still about to end.
    """
    return "TEST_DATABASE_URL" not in os.environ


@pytest.fixture
def source(db: None) -> Source:
    """An OpenAI source named acme, settling after an hour."""
    return factories.make_source()


@pytest.fixture
def queue() -> Iterator[redis.Redis]:
    """The broker, with an empty queue before and after."""
    client = redis.Redis.from_url(settings.REDIS_URL)
    client.delete(current_app.conf.task_default_queue)
    yield client
    client.delete(current_app.conf.task_default_queue)
    client.close()
