"""When the workers of a fan-out start."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ingest.simulator.arrivals import MS_PER_HOUR, start_times
from ingest.simulator.load import Load
from ingest.simulator.workload import Cell, FanOut, Prompts, Workload

HOUR = 498_864
WORK = Workload("job", (Cell("proj_x", "gpt-5.4"),), Load(60, 900), Prompts(5000, 1200))


def seconds(work: Workload, intensity: float = 900.0) -> np.ndarray:
    """Start times of one hour, in seconds after its beginning."""
    times = start_times(work, np.random.default_rng(1), HOUR, intensity)
    return (times - HOUR * MS_PER_HOUR) / 1000.0


def test_a_cron_job_opens_with_one_wave_and_is_done_within_its_minute():
    starts = seconds(replace(WORK, arrival="cron"))
    wave, followers = starts[starts < 0.8], starts[starts >= 6.0]
    assert len(wave) + len(followers) == len(starts)
    assert len(followers) == round(1.75 * len(starts) ** 0.594)
    assert starts.max() < 55.0


def test_a_fan_out_has_the_shape_it_is_given():
    fan_out = FanOut(followers_factor=0.5, followers_exponent=1.0, fill_seconds=3, done_seconds=9)
    starts = seconds(replace(WORK, arrival="cron", fan_out=fan_out))
    assert np.count_nonzero(starts >= 3.0) == round(0.5 * len(starts))
    assert starts.max() < 9.0


def test_bursts_begin_at_random_times_and_share_the_hours_requests():
    fan_out = FanOut(bursts_per_hour=4)
    starts = seconds(replace(WORK, arrival="bursts", fan_out=fan_out))
    assert abs(len(starts) - 900) < 120
    assert np.all(np.diff(starts) >= 0)
    assert 0 <= starts.min() < starts.max() < 3600
    assert np.count_nonzero(np.diff(starts) > 60) <= 3
    assert starts.max() - starts.min() > 600


def test_an_hour_of_bursts_may_bring_nothing():
    assert len(seconds(replace(WORK, arrival="bursts"), intensity=0.0)) == 0
