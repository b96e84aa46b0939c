"""A verdict on stories of scatter is the same whatever hour of the week the window ends in."""

from __future__ import annotations

import pytest

from cachewatch.analysis.thresholds import DEFAULTS
from cachewatch.diagnose.judging import diagnose
from ingest.simulator.stories_routing import repair_rolled_back, scatter
from tests.cachewatch.demo_usage import week_before

MONDAY = 498_720  # 2026-11-23T00:00Z
# Night hours of a Monday follow a quiet weekend; the other ends are spread over the week.
ENDS = [*range(4, 12), 25, 63, 101, 131, 146, 161]


@pytest.mark.parametrize("hour_of_week", ENDS)
def test_scatter_is_seen_at_every_hour_of_the_week(hour_of_week):
    anchor = MONDAY + hour_of_week
    found = diagnose(
        week_before(anchor, (scatter(), repair_rolled_back())),
        days=None,
        now_seconds=anchor * 3600.0 + 120,
        rules="full",
        thresholds=DEFAULTS,
    )
    assert {one.project_id: one.evidence.verdict for one in found.series} == {
        "proj_ragAnswer01": "load-correlated-misses",
        "proj_policyQa22": "load-correlated-misses",
    }
