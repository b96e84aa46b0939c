"""Every story shows its cause in its numbers, whatever day of the week the anchor is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from ingest.simulator.service import (
    CACHED,
    INPUT,
    REQUESTS,
    WRITTEN_12H,
    WRITTEN_30M,
    arrived,
)
from ingest.simulator.stories import all_stories

from .conftest import ANCHOR_HOUR

DAY, WEEK = 24, 168
ANCHORS = {"Sunday": ANCHOR_HOUR, "Wednesday": ANCHOR_HOUR + 3 * DAY + 13}
STORIES = {story.name: story for story in all_stories()}
VERDICTS = {
    "load-correlated-misses",
    "mix-shift",
    "level-shift-mid-window",
    "flat-low-share",
    "cold-only-after-idle",
    "sparse-traffic-retention",
    "no-cached-tokens",
    "share-rises-with-load",
    "load-does-not-vary",
    "too-few-linked-hours",
    "inconclusive",
    "healthy",
}


@dataclass(frozen=True)
class Seen:
    """A story's hours as one series: usage per hour, and the same on one ideal machine."""

    usage: np.ndarray
    ideal: np.ndarray

    def share(self, hours=slice(None)):
        """Pooled cached share over some hours."""
        return self.usage[hours, CACHED].sum() / self.usage[hours, INPUT].sum()

    def ideal_share(self, hours=slice(None)):
        return self.ideal[hours, CACHED].sum() / self.ideal[hours, INPUT].sum()

    def writes(self, hours=slice(None)):
        written = self.usage[hours][:, [WRITTEN_30M, WRITTEN_12H]].sum()
        return written / self.usage[hours, INPUT].sum()

    def linked(self):
        """Hours with traffic whose hour before had traffic."""
        requests = self.usage[:, REQUESTS]
        return np.flatnonzero((requests[1:] > 0) & (requests[:-1] > 0)) + 1

    def cold(self):
        """Hours with traffic after an hour without."""
        requests = self.usage[:, REQUESTS]
        return np.flatnonzero((requests[1:] > 0) & (requests[:-1] == 0)) + 1

    def thirds(self):
        """The quietest and the busiest third of the linked hours."""
        order = self.linked()[np.argsort(self.usage[self.linked(), REQUESTS], kind="stable")]
        return order[: len(order) // 3], order[-(len(order) // 3) :]

    def quiet_and_busy(self):
        quiet, busy = self.thirds()
        return self.share(quiet), self.share(busy)


@pytest.fixture(params=ANCHORS, scope="module")
def week_of(request) -> Callable[..., Seen]:
    """The week before the anchor (or `days_before` it) of a story."""
    anchor = ANCHORS[request.param]

    def look(name: str, days_before: float = 0.0, model: str | None = None) -> Seen:
        end = anchor - round(days_before * DAY)
        sums = []
        for one_machine in (False, True):
            hours = np.zeros((WEEK, 6), np.int64)
            for workload in STORIES[name].workloads:
                if model is None or workload.cells[0].model == model:
                    requests = arrived(workload, 1, anchor, end - WEEK, end)
                    hours += requests.hourly_usage(one_machine).sum(axis=1)
            sums.append(hours)
        return Seen(*sums)

    return look


def test_scatter_caches_well_when_quiet_and_badly_when_busy(week_of):
    seen = week_of("scatter")
    quiet, busy = seen.quiet_and_busy()
    assert 0.62 <= quiet <= 0.75
    assert 0.15 <= busy <= 0.30
    assert seen.ideal_share(seen.thirds()[1]) - busy > 0.5


def test_the_repair_lifts_the_busy_hours_and_leaves_the_quiet_ones(week_of):
    quiet_before, busy_before = week_of("scatter-repaired", days_before=9).quiet_and_busy()
    quiet_after, busy_after = week_of("scatter-repaired").quiet_and_busy()
    assert quiet_before - busy_before > 0.3
    assert busy_after - busy_before > 0.45
    assert abs(quiet_after - quiet_before) < 0.06
    assert abs(busy_after - quiet_after) < 0.15


def test_a_repair_that_was_rolled_back_leaves_the_week_as_it_was_before_it(week_of):
    shipped, rolled_back = (one.hours for one in STORIES["repair-rolled-back"].markers)
    assert shipped < -2 * WEEK < rolled_back < -WEEK
    quiet, busy = week_of("repair-rolled-back").quiet_and_busy()
    assert quiet > 0.5
    assert busy < 0.5 * quiet


def test_a_per_request_key_is_low_everywhere_and_rises_a_little(week_of):
    seen = week_of("per-request-key")
    quiet, busy = seen.quiet_and_busy()
    assert quiet < 0.03
    assert 0.05 < busy < 0.15
    assert seen.ideal_share() > 0.6


def test_dense_traffic_is_near_the_ideal_at_every_load(week_of):
    seen = week_of("healthy-dense")
    quiet, busy = seen.quiet_and_busy()
    assert quiet > 0.85
    assert busy > 0.85
    assert seen.ideal_share() - seen.share() < 0.05


def test_density_alone_warms_the_many_prefixes(week_of):
    quiet, busy = week_of("share-rises").quiet_and_busy()
    assert quiet < 0.2
    assert busy > 0.5


def test_the_fan_out_falls_with_load_although_nothing_is_scattered(week_of):
    seen = week_of("fan-out-race")
    quiet, busy = seen.quiet_and_busy()
    assert 0.18 < quiet < 0.35
    assert busy < 0.13
    assert len(seen.linked()) == WEEK - 1


def test_the_opening_hour_after_idle_is_cold_and_the_next_ones_are_warm(week_of):
    seen = week_of("bursts-after-idle")
    assert len(seen.cold()) >= 20
    assert seen.share(seen.cold()) < 0.02
    assert seen.share(seen.linked()) > 0.6


def test_an_unstable_prefix_is_low_and_flat(week_of):
    seen = week_of("unstable-prefix")
    quiet, busy = seen.quiet_and_busy()
    assert 0.05 < quiet < 0.14
    assert abs(quiet - busy) < 0.01
    assert seen.ideal_share() < 0.15


def test_below_the_floor_nothing_is_ever_cached(week_of):
    seen = week_of("below-the-floor")
    assert seen.usage[:, CACHED].sum() == 0
    assert seen.ideal[:, CACHED].sum() == 0
    assert seen.usage[:, INPUT].sum() / seen.usage[:, REQUESTS].sum() < 700


def test_sparse_calls_find_nothing_although_their_prompts_are_long(week_of):
    seen = week_of("sparse-traffic")
    assert seen.usage[:, CACHED].sum() == 0
    assert seen.usage[:, REQUESTS].max() <= 12
    assert seen.usage[:, INPUT].sum() / seen.usage[:, REQUESTS].sum() > 4000


def test_the_level_moves_on_the_day_of_the_deploy(week_of):
    seen = week_of("level-shift")
    shipped = WEEK + STORIES["level-shift"].markers[0].hours
    before, after = seen.share(slice(0, shipped)), seen.share(slice(shipped, WEEK))
    assert before - after > 0.3
    assert week_of("level-shift", days_before=4).share() == pytest.approx(before, abs=0.02)


def test_the_breakpoint_lifts_every_load_and_ends_the_writes(week_of):
    before, after = week_of("breakpoint-repair", days_before=10), week_of("breakpoint-repair")
    assert before.share() < 0.05
    assert 0.33 < before.writes() < 0.43
    assert min(after.quiet_and_busy()) > 0.6
    assert after.writes() < 0.05


def test_a_key_per_run_writes_everything_and_reads_nothing(week_of):
    seen = week_of("writes-not-read")
    assert seen.share() == 0.0
    assert seen.writes() == 1.0
    assert seen.ideal_share() > 0.5


def test_the_old_model_ends_where_the_new_one_begins(week_of):
    old = week_of("model-change", model="gpt-5.1-2025-11-13").usage[:, REQUESTS]
    new = week_of("model-change", model="gpt-5.4-2026-03-05").usage[:, REQUESTS]
    moved = WEEK + STORIES["model-change"].markers[0].hours
    assert (old > 0).tolist() == [True] * moved + [False] * (WEEK - moved)
    assert (new > 0).tolist() == [False] * moved + [True] * (WEEK - moved)


def test_two_templates_fall_together_and_are_constant_alone(week_of):
    quiet, busy = week_of("two-templates").quiet_and_busy()
    assert quiet > 0.65
    assert busy < 0.3
    for workload in STORIES["two-templates"].workloads:
        requests = arrived(workload, 1, ANCHOR_HOUR, ANCHOR_HOUR - WEEK, ANCHOR_HOUR)
        usage = requests.hourly_usage().sum(axis=1)
        alone = Seen(usage, usage).quiet_and_busy()
        assert alone[0] == pytest.approx(alone[1], abs=0.03)


def test_longer_documents_lower_the_share_but_not_the_cached_tokens_per_request(week_of):
    seen = week_of("longer-documents")
    quiet, busy = seen.thirds()
    assert seen.share(quiet) - seen.share(busy) > 0.2
    each = [
        seen.usage[hours, CACHED].sum() / seen.usage[hours, REQUESTS].sum()
        for hours in (quiet, busy)
    ]
    assert each[0] == pytest.approx(each[1], rel=0.03)


@pytest.mark.parametrize(
    "name", ["late-revision", "tokens-without-requests", "null-project", "batch-jobs"]
)
def test_the_oddities_of_reporting_sit_on_healthy_traffic(week_of, name):
    seen = week_of(name)
    quiet, busy = seen.quiet_and_busy()
    assert quiet > 0.5
    assert abs(quiet - busy) < 0.04


def test_a_steady_queue_has_one_load(week_of):
    requests = week_of("steady-queue").usage[:, REQUESTS]
    assert set(requests.tolist()) == {240}


def test_the_archived_project_has_history_and_no_present(week_of):
    assert week_of("archived-project").usage.sum() == 0
    assert week_of("archived-project", days_before=21).usage[:, REQUESTS].min() > 0


def test_each_story_has_a_project_of_its_own_and_a_known_verdict():
    projects = [story.project.id for story in STORIES.values() if story.project is not None]
    assert len(projects) == len(set(projects)) == len(STORIES) - 1
    for story in STORIES.values():
        models = {cell.model for workload in story.workloads for cell in workload.cells}
        assert {truth.model for truth in story.truths} <= models
        for truth in story.truths:
            assert {truth.expected, *truth.acceptable} <= VERDICTS
            assert truth.published is None or truth.published in VERDICTS


def test_the_truth_is_served_with_hours_since_the_epoch(api):
    world = api.json("/_simulator/world")
    repaired = next(s for s in world["stories"] if s["name"] == "scatter-repaired")
    assert repaired["project_name"] == "doc-search"
    assert repaired["series"][0]["acceptable"][0] == repaired["series"][0]["expected"]
    assert [one["kind"] for one in repaired["markers"]] == ["key shipped"]
    assert -10 * DAY < repaired["markers"][0]["hour"] - ANCHOR_HOUR < -8 * DAY
