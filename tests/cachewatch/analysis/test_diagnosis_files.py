"""Small inputs with the right verdict, as files of usage pages, and what both rules say of them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from cachewatch.analysis.thresholds import DEFAULTS
from cachewatch.diagnose.judging import diagnose
from ingest.usage_files import read_usage

FOLDER = Path(__file__).parents[4] / "shared" / "data" / "diagnosis"
INDEX = FOLDER / "index.json"
LONG_AFTER = 2_000_000_000.0


@cache
def index() -> dict[str, dict[str, str]]:
    return json.loads(INDEX.read_text(encoding="utf-8")) if INDEX.exists() else {}


def test_the_files_are_there():
    if not index():
        pytest.skip(f"no files of known verdicts: {INDEX.name} is not beside the repository")
    assert all((FOLDER / name).exists() for name in index())


@pytest.mark.parametrize(
    ("rules", "answer"), [("full", "expected"), ("published", "published_rule_says")]
)
@pytest.mark.parametrize("name", sorted(index()) or [None])
def test_every_file_gets_its_verdict(name, rules, answer):
    if name is None:
        pytest.skip(f"no files of known verdicts: {INDEX.name} is not beside the repository")
    usage = read_usage([str(FOLDER / name)], now=None).usage
    found = diagnose(usage, days=None, now_seconds=LONG_AFTER, rules=rules, thresholds=DEFAULTS)
    (series,) = found.series
    assert series.evidence.verdict == index()[name][answer], index()[name]["description"]
