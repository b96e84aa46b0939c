"""Hours of a workload: equal for equal seeds, and independent of what else was asked."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.simulator.history import History
from ingest.simulator.load import Load, Openings
from ingest.simulator.service import CACHED, FIELDS, INPUT, REQUESTS, arrived
from ingest.simulator.stories import all_stories
from ingest.simulator.workload import Cell, Fleet, Prompts, Revision, Workload

from .conftest import ANCHOR_HOUR

SMALL = Workload(
    name="small",
    cells=(Cell("proj_a", "gpt-5.4"), Cell("proj_a", "gpt-5.4", service_tier="priority")),
    load=Load(20, 90),
    prompts=Prompts(1500, 400, tenant_tokens=1000, tenants=5, turns=3),
    key="tenant",
    fleet=Fleet(lifetime_seconds=4000, lifetime_at_peak_seconds=600),
    revision=Revision(every=3, delay_hours=2.0, late_share=0.3),
    uncounted_every=5,
)
WORKLOADS = {workload.name: workload for story in all_stories() for workload in story.workloads}


def hourly_usage(*arguments):
    return arrived(*arguments).hourly_usage()


hours = st.integers(ANCHOR_HOUR - 300, ANCHOR_HOUR + 300)
spans = st.integers(1, 6)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), hour=hours)
def test_equal_seeds_give_equal_bytes_and_another_seed_other_ones(seed, hour):
    once = hourly_usage(SMALL, seed, ANCHOR_HOUR, hour, hour + 3)
    again = hourly_usage(SMALL, seed, ANCHOR_HOUR, hour, hour + 3)
    other = hourly_usage(SMALL, seed + 1, ANCHOR_HOUR, hour, hour + 3)
    assert once.tobytes() == again.tobytes()
    assert once.tobytes() != other.tobytes()


@settings(deadline=None, max_examples=25)
@given(hour=hours, before=spans, after=spans)
def test_an_hour_does_not_depend_on_which_other_hours_were_asked(hour, before, after):
    alone = hourly_usage(SMALL, 1, ANCHOR_HOUR, hour, hour + 1)
    within = hourly_usage(SMALL, 1, ANCHOR_HOUR, hour - before, hour + after)
    assert within[before].tobytes() == alone[0].tobytes()


@pytest.mark.parametrize("name", WORKLOADS)
def test_no_storys_hour_depends_on_its_neighbours(name):
    for hour in (ANCHOR_HOUR - 530, ANCHOR_HOUR - 24):
        run = hourly_usage(WORKLOADS[name], 1, ANCHOR_HOUR, hour - 2, hour + 2)
        alone = hourly_usage(WORKLOADS[name], 1, ANCHOR_HOUR, hour, hour + 1)
        assert run[2].tobytes() == alone[0].tobytes()


@settings(deadline=None, max_examples=25)
@given(hour=hours, cuts=st.lists(st.integers(1, 3599), max_size=5), ago=st.integers(0, 20_000))
def test_the_parts_of_an_hour_add_up_to_the_hour(hour, cuts, ago):
    history = History(SMALL, 1, ANCHOR_HOUR, ANCHOR_HOUR - 500)
    begin = hour * 3600
    now = begin + float(ago)
    edges = [begin, *(begin + cut for cut in sorted(set(cuts))), begin + 3600]
    parts = [history.usage(a, b, now) for a, b in pairwise(edges)]
    assert sum(parts).tolist() == history.usage(begin, begin + 3600, now).tolist()


def test_sixty_minutes_add_up_to_their_hour_in_every_story():
    for workload in WORKLOADS.values():
        history = History(workload, 1, ANCHOR_HOUR, ANCHOR_HOUR - 900)
        begin, now = (ANCHOR_HOUR - 15) * 3600, ANCHOR_HOUR * 3600.0
        minutes = [history.usage(begin + 60 * m, begin + 60 * m + 60, now) for m in range(60)]
        assert sum(minutes).tolist() == history.usage(begin, begin + 3600, now).tolist()


def test_what_has_not_happened_yet_is_not_reported():
    history = History(SMALL, 1, ANCHOR_HOUR, ANCHOR_HOUR - 500)
    begin = (ANCHOR_HOUR + 14) * 3600
    half = history.usage(begin, begin + 3600, begin + 1800.0)
    assert history.usage(begin, begin + 3600, float(begin)).sum() == 0
    assert (
        0 < half[:, INPUT].sum() < history.usage(begin, begin + 3600, begin + 1e5)[:, INPUT].sum()
    )
    assert half.tolist() == history.usage(begin, begin + 1800, begin + 1800.0).tolist()


def test_only_the_hours_of_a_revision_change_after_they_closed():
    history = History(SMALL, 1, ANCHOR_HOUR, ANCHOR_HOUR - 500)
    changed = []
    for hour in range(ANCHOR_HOUR - 12, ANCHOR_HOUR):
        span = (hour * 3600, hour * 3600 + 3600)
        early = history.usage(*span, (hour + 1) * 3600.0)
        before = history.usage(*span, (hour + 3) * 3600.0 - 1)
        late = history.usage(*span, (hour + 3) * 3600.0)
        assert before.tolist() == early.tolist()
        assert (early <= late).all()
        if early.tolist() != late.tolist():
            changed.append(hour)
    assert changed == [hour for hour in range(ANCHOR_HOUR - 12, ANCHOR_HOUR) if hour % 3 == 0]


def test_some_hours_report_tokens_without_requests():
    usage = hourly_usage(SMALL, 1, ANCHOR_HOUR, ANCHOR_HOUR - 10, ANCHOR_HOUR).sum(axis=1)
    uncounted = [hour % 5 == 0 for hour in range(ANCHOR_HOUR - 10, ANCHOR_HOUR)]
    assert (usage[:, INPUT] > 0).all()
    assert (usage[:, REQUESTS] == 0).tolist() == uncounted


def test_hours_before_the_history_are_idle():
    history = History(SMALL, 1, ANCHOR_HOUR, ANCHOR_HOUR - 10)
    now = ANCHOR_HOUR * 3600.0
    before = history.usage((ANCHOR_HOUR - 11) * 3600, (ANCHOR_HOUR - 10) * 3600, now)
    assert before.tolist() == np.zeros((2, len(FIELDS))).tolist()


def test_one_ideal_machine_never_reads_less_for_the_same_requests():
    scatter = WORKLOADS["rag-answer"]
    requests = arrived(scatter, 1, ANCHOR_HOUR, ANCHOR_HOUR - 12, ANCHOR_HOUR - 6)
    real = requests.hourly_usage()
    ideal = requests.hourly_usage(one_machine=True)
    assert (real[..., INPUT] == ideal[..., INPUT]).all()
    assert (real[..., CACHED] < ideal[..., CACHED]).all()


def test_a_phase_sends_requests_only_between_its_begin_and_its_end():
    phase = replace(SMALL, begins=-5, ends=-2, prompts=Prompts(1500, 400))
    usage = hourly_usage(phase, 1, ANCHOR_HOUR, ANCHOR_HOUR - 8, ANCHOR_HOUR).sum(axis=(1, 2))
    assert (usage > 0).tolist() == [False] * 3 + [True] * 3 + [False] * 2


def test_two_phases_of_a_story_share_one_load_curve():
    before = replace(SMALL, stream="shared", prompts=Prompts(1500, 400))
    after = replace(before, name="keyed", key="tenant")
    window = (ANCHOR_HOUR - 8, ANCHOR_HOUR)
    first = hourly_usage(before, 1, ANCHOR_HOUR, *window)
    second = hourly_usage(after, 1, ANCHOR_HOUR, *window)
    assert first[..., REQUESTS].tolist() == second[..., REQUESTS].tolist()


def test_closed_hours_have_no_traffic():
    job = replace(SMALL, load=Load(50, 60, openings=Openings(8, 3, first_hour=1)))
    job = replace(job, prompts=Prompts(1500, 400))
    usage = hourly_usage(job, 1, ANCHOR_HOUR, ANCHOR_HOUR, ANCHOR_HOUR + 16).sum(axis=(1, 2))
    day = [False] + [True] * 3 + [False] * 4
    assert (usage > 0).tolist() == day * 2


def test_requests_are_ordered_by_time_and_lie_in_their_hours():
    served = arrived(SMALL, 1, ANCHOR_HOUR, ANCHOR_HOUR - 4, ANCHOR_HOUR).serve()
    assert (np.diff(served.time_ms) >= 0).all()
    assert served.time_ms[0] >= (ANCHOR_HOUR - 4) * 3_600_000
    assert served.time_ms[-1] < ANCHOR_HOUR * 3_600_000
