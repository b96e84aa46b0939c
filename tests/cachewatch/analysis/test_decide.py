"""One series for each cause, built by hand, and the verdict it gets."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

import numpy as np
import pytest

from cachewatch.analysis.controls.every import say
from tests.cachewatch.analysis.cells_of import days_of, judged, share_of_load, verdict_of
from tests.cachewatch.analysis.series_of import BASE_HOUR, DAY, hour_row

SCATTER, MIX, UNSURE = "load-correlated-misses", "mix-shift", "inconclusive"


def falling(load: float) -> float:
    """Flat up to 900 requests an hour, then ever more of them leave the machine."""
    return 0.8 if load <= 900 else 0.2 + 0.6 * 900 / load


def steady(load: float) -> float:
    return 0.8


def found(evidence) -> tuple[str, str]:
    return evidence.verdict, evidence.reason


def test_a_share_that_falls_with_load_in_the_same_traffic_is_misses_under_load():
    evidence = verdict_of({"key_a": share_of_load(falling)})
    assert found(evidence) == (SCATTER, "")
    assert evidence.control("share-over-load").status == "fired"
    assert evidence.control("time-of-day").status == "ruled_out"
    assert evidence.is_finding


def test_a_constant_job_beside_a_daytime_template_under_two_keys_is_a_mix():
    users = share_of_load(lambda _load: 0.05)
    job = days_of(lambda *_: 3400.0, load=[150] * 24, day_factor=lambda _day: 1.0)
    evidence = verdict_of({"key_users": users, "key_job": job})
    assert found(evidence) == (MIX, "traffic-mix")
    within = evidence.control("traffic-mix").numbers
    assert within["fall"] > 0.3
    assert abs(within["within_cells"]) < 0.01


def test_the_cell_that_falls_beside_a_healthy_one_is_named():
    evidence = verdict_of({"key_a": share_of_load(falling), "key_b": share_of_load(steady)})
    assert evidence.verdict == SCATTER
    assert evidence.cell.api_key_id == "key_a"
    assert (round(evidence.fall.reference_share, 2), evidence.fall.days) == (0.8, 7)


def test_a_cell_under_a_fifth_of_the_input_is_not_judged_alone():
    small = [(hour, round(q / 9), i // 9, c // 9) for hour, q, i, c in share_of_load(falling)]
    evidence = verdict_of({"key_a": small, "key_b": share_of_load(steady)})
    assert (evidence.verdict, evidence.cell) == ("healthy", None)


def test_longer_documents_with_the_same_cached_tokens_are_a_mix():
    rows = days_of(lambda *_: 2000.0, tokens=lambda load: 2600 + 1.5 * load)
    evidence = verdict_of({"key_a": rows})
    assert found(evidence) == (MIX, "prompt-length")
    assert evidence.fall.size_change > 1.5


def test_longer_prompts_explain_a_part_and_scatter_the_rest():
    rows = days_of(
        lambda load, _: 2400.0 * falling(load) / 0.8, tokens=lambda load: 3600 + 0.1 * load
    )
    evidence = verdict_of({"key_a": rows})
    assert found(evidence) == (SCATTER, "")
    assert 0.5 < evidence.fall.beyond_length / evidence.fall.within < 1.0


def test_a_longer_conversation_that_is_cached_too_explains_nothing():
    # Prompts vary from hour to hour, and nine tenths of what they gain is read from the cache.
    def size(place: int) -> float:
        return 4000.0 + 900.0 * ((place * 7) % 5 - 2) / 2.0

    rows = []
    for hour, requests, _, _ in share_of_load(steady):
        place = hour - BASE_HOUR
        tokens = size(place) + 0.3 * requests
        cached = (3000.0 + 0.9 * (tokens - 4000.0)) * falling(requests) / 0.8
        rows.append((hour, requests, round(requests * tokens), round(requests * cached)))
    assert verdict_of({"key_a": rows}).verdict == SCATTER


def test_a_share_that_falls_at_certain_hours_whatever_the_load_follows_the_clock():
    rows = days_of(
        lambda _load, place: 3200.0 if not 8 <= place % 24 < 18 else 1400.0,
        day_factor=lambda day: (0.6, 1.5, 0.9, 1.8, 0.7, 1.2, 1.0)[day],
    )
    assert found(verdict_of({"key_a": rows})) == (UNSURE, "time-of-day")


def test_two_templates_under_one_key_move_the_share_at_equal_load():
    """Equal prompts, one cached, one not; how many of each is a matter of the hour."""
    rows = []
    for place in range(24 * 7):
        users = DAY[place % 24] * (1.0 + 0.08 * (place // 24 % 4))
        job = 500 * exp(0.9 * ((place * 5) % 7 - 3) / 3.0)
        requests = round(users + job)
        cached = 4000 * (0.05 * users + 0.85 * job)
        rows.append((BASE_HOUR + place, requests, requests * 4000, round(cached)))
    evidence = verdict_of({"key_a": rows})
    assert evidence.verdict == UNSURE
    assert evidence.fall.noise > 2
    assert "Hours of equal load differ" in say(evidence.control("hidden-traffic")).statement


def test_a_constant_cached_part_beside_users_that_are_not_cached_could_be_a_mix():
    """60 requests an hour of which 85 % are cached, users of 30 %: nothing scatters."""
    rows = days_of(
        lambda load, _place: 4000.0 * (0.3 + 0.55 * 60 / load), days=7, load=[q + 60 for q in DAY]
    )
    evidence = verdict_of({"key_a": rows})
    assert found(evidence) == (UNSURE, "constant-background")
    control = evidence.control("hidden-traffic")
    assert control.status == "fired"
    assert control.numbers["rest_share"] == pytest.approx(0.3, abs=0.01)
    assert control.numbers["background_requests"] == pytest.approx(47, abs=3)
    assert "explains every hour" in say(control).statement


def test_a_level_that_moves_on_a_day_names_the_day():
    rows = days_of(lambda _load, place: 3100.0 if place < 4 * 24 + 3 else 1500.0)
    evidence = verdict_of({"key_a": rows})
    assert evidence.verdict == "level-shift-mid-window"
    assert evidence.since_hour == BASE_HOUR + 4 * 24 + 3
    assert evidence.level.after < evidence.level.before
    assert evidence.control("level-shift").status == "fired"


@pytest.mark.parametrize("moved_at", [3 * 24 + 15, 4 * 24 + 3, 4 * 24 + 10])
def test_the_hour_in_which_a_level_moves_is_named_wherever_it_lies_in_a_day(moved_at):
    rows = days_of(lambda _load, place: 3100.0 if place < moved_at else 1500.0)
    evidence = verdict_of({"key_a": rows})
    assert evidence.verdict == "level-shift-mid-window"
    assert evidence.since_hour == BASE_HOUR + moved_at
    assert (evidence.level.before, evidence.level.after) == pytest.approx((0.775, 0.375))


def test_a_fall_that_begins_in_mid_window_is_found_with_its_onset():
    rows = days_of(
        lambda load, place: 4000.0 * (falling(load) if place >= 4 * 24 + 3 else 0.8), days=8
    )
    evidence = verdict_of({"key_a": rows})
    assert evidence.verdict == SCATTER
    assert evidence.since_hour == BASE_HOUR + 4 * 24 + 9  # its first busy hour
    assert evidence.fall.days in (3, 4)


def test_a_fall_that_has_ended_is_no_accusation():
    rows = days_of(
        lambda load, place: 4000.0 * (falling(load) if place < 4 * 24 + 3 else 0.8), days=8
    )
    assert verdict_of({"key_a": rows}).verdict in ("level-shift-mid-window", "healthy", UNSURE)


def test_other_traffic_on_weekends_is_a_mix_with_its_levels():
    def cached(load: float, place: int) -> float:
        return 3200.0 if place // 24 in (5, 6) else 1000.0

    rows = days_of(cached, days=8, day_factor=lambda day: 0.1 if day in (5, 6) else 1.0)
    evidence = verdict_of({"key_a": rows})
    assert found(evidence) == (MIX, "weekend")
    assert (round(evidence.level.before, 2), round(evidence.level.after, 2)) == (0.25, 0.77)


def test_quieter_weekends_with_a_lower_share_are_density_and_no_mix():
    def cached(load: float, place: int) -> float:
        return 1200.0 if place // 24 in (5, 6) else 2600.0

    rows = days_of(cached, day_factor=lambda day: 0.1 if day in (5, 6) else 1.0)
    assert verdict_of({"key_a": rows}).reason != "weekend"


@pytest.mark.parametrize(
    ("model", "per_hour", "verdict"),
    [
        ("gpt-4o", 5, "sparse-traffic-retention"),
        ("gpt-5.5", 3, "sparse-traffic-retention"),
        ("gpt-5.5", 9, "no-cached-tokens"),
        ("gpt-5.6-terra", 3, "sparse-traffic-retention"),
    ],
)
def test_what_is_sparse_follows_the_lifetime_of_the_model(model, per_hour, verdict):
    rows = days_of(lambda *_: 0.0, load=[per_hour] * 24, day_factor=lambda _day: 1.0)
    assert verdict_of({"key_a": rows}, model).verdict == verdict


def test_quiet_nights_are_not_sparse_where_busy_hours_read_nothing_either():
    load = [4] * 14 + [300] * 10
    rows = days_of(lambda *_: 0.0, load=load, day_factor=lambda _day: 1.0)
    assert verdict_of({"key_a": rows}, "gpt-4o").verdict == "no-cached-tokens"


def test_a_rise_from_a_low_level_is_not_called_good():
    rows = share_of_load(lambda load: 0.10 + 0.00006 * load)
    assert found(verdict_of({"key_a": rows})) == (UNSURE, "low-rise")


def test_a_fan_out_loses_the_same_part_with_each_doubling_and_is_no_accusation():
    rows = share_of_load(lambda load: 0.15 * (load / 100) ** -0.4, load=[q / 4 for q in DAY])
    evidence = verdict_of({"key_a": rows})
    assert found(evidence) == (UNSURE, "fan-out")
    assert evidence.control("fan-out").numbers["slope"] == pytest.approx(-0.4, abs=0.02)


def test_a_fall_that_ends_before_the_busiest_hours_is_no_accusation():
    """All tenants are active from 1,500 requests an hour on, and come back too late or not."""
    hits = np.random.default_rng(7)

    def cached(load: float, _place: int) -> float:
        share = 0.8 * (max(300.0, min(load, 1500.0)) / 300.0) ** -0.6
        return 4000.0 * hits.binomial(round(load), share * hits.normal(1.0, 0.02)) / load

    rows = days_of(cached, days=14, day_factor=lambda _day: 1.0)
    evidence = verdict_of({"key_a": rows})
    assert found(evidence) == (UNSURE, "levels-off")
    control = evidence.control("levels-off")
    assert (control.status, control.numbers["part"]) == ("fired", pytest.approx(0.0, abs=0.1))
    assert "the fall ends before the busiest hours" in say(control).statement


def test_nothing_at_all_and_too_little_are_no_verdict():
    assert verdict_of({"key_a": [hour_row(0, 10, 0.5)]}).verdict == "too-few-linked-hours"
    few = share_of_load(falling)[:20]
    assert verdict_of({"key_a": few}).verdict == "too-few-linked-hours"


def fall_by_day(points: Sequence[float]) -> list:
    """Days whose share falls by so many points from 100 to 3,900 requests an hour."""
    return days_of(
        lambda load, place: 4000 * (0.8 - points[place // 24] / 100 * log(load / 100) / log(39)),
        days=len(points),
    )


@pytest.mark.parametrize(
    ("points", "verdict"),
    [
        ([6.2] * 7, "healthy"),  # never opened
        ([6.2] * 3 + [8.0] * 3 + [6.2], SCATTER),  # six days open it, the seventh keeps it
        ([4.0] * 3 + [8.0] * 3 + [4.0], "healthy"),  # under the narrower limit
    ],
)
def test_an_open_finding_closes_at_less_than_it_opens(points, verdict):
    assert judged({"key_a": fall_by_day(points)}).verdict(0) == verdict


def test_a_batch_of_many_gives_each_series_what_it_gets_alone():
    causes = [
        {"key_a": share_of_load(falling)},
        {"key_a": share_of_load(steady)},
        {"key_a": days_of(lambda *_: 2000.0, tokens=lambda load: 2600 + 1.5 * load)},
        {"key_a": share_of_load(falling), "key_b": share_of_load(steady)},
    ]
    together = judged(*causes)
    alone = [judged(cells).verdict(0) for cells in causes]
    assert [together.verdict(index) for index in range(len(causes))] == alone
    assert alone == [SCATTER, "healthy", MIX, SCATTER]
