"""The table of formats, and the page that shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.request_logs import FORMATS, LEFT_OUT_REASONS, LogFormat

PAGE = (Path(__file__).parents[3] / "docs" / "request-logs.md").read_text()


@pytest.mark.parametrize("entry", FORMATS, ids=lambda entry: entry.name)
def test_a_format_declares_what_its_numbers_mean(entry: LogFormat):
    declared = (
        entry.title,
        entry.cached,
        entry.counts,
        entry.identity,
        entry.time,
        entry.not_reported,
    )
    assert all(declared)
    assert entry.cached.split(";")[0].split()[0] in (
        "inside",
        "inside,",
        "inside:",
        "outside",
        "as",
    )
    if not entry.refusal:
        row = " | ".join((f"`{entry.name}`", *declared))
        assert f"| {row} |" in PAGE


def test_names_are_unique():
    assert len({entry.name for entry in FORMATS}) == len(FORMATS)


@pytest.mark.parametrize("reason", LEFT_OUT_REASONS)
def test_the_page_tells_every_reason(reason):
    assert f"| `{reason}` | {LEFT_OUT_REASONS[reason]} |" in PAGE
