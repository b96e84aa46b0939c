"""Shared by the tests of ingest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ingest.fake_provider import FakeProvider


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, so that files have short names."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def provider() -> FakeProvider:
    """A provider without a bucket."""
    return FakeProvider()
