"""Shared by all tests: the actors and the first stored things."""

from __future__ import annotations

import pytest

from ingest.models import Source
from tests import factories


@pytest.fixture
def source(db: None) -> Source:
    """An OpenAI source named acme, settling after an hour."""
    return factories.make_source()
