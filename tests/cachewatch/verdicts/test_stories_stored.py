"""The demo fleet through the database: stored hours are judged as the same hours from files are."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from cachewatch.analysis.thresholds import DEFAULTS
from cachewatch.diagnose.judging import diagnose
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.services import classify_stale
from ingest.models import Source
from ingest.store import store_usage
from tests.cachewatch.demo_usage import ANCHOR, demo_week
from tests.factories import GROUPING, at, make_run

NOW = at(ANCHOR + 2)


@pytest.mark.django_db
def test_every_number_of_every_verdict_is_the_same_from_the_database_and_from_files(
    source: Source,
) -> None:
    usage = demo_week()
    store_usage(source, usage, run=make_run(source), grouping=GROUPING, now=NOW)
    classify_stale([source], now=NOW)
    stored = {
        (row.series.project_id, row.series.model): row.evidence["numbers"]
        for row in Verdict.objects.select_related("series")
    }
    found = diagnose(
        usage, days=None, now_seconds=NOW.timestamp(), rules="full", thresholds=DEFAULTS
    )
    from_files = {(one.project_id, one.model): asdict(one.evidence) for one in found.series}
    assert set(stored) == set(from_files)
    for series, numbers in from_files.items():
        assert stored[series] == json.loads(json.dumps(numbers)), series
