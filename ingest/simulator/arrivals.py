"""When requests of one hour start, which conversation and tenant they belong to, how long they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingest.simulator.workload import FanOut, Prompts, Workload

MS_PER_HOUR = 3_600_000
LONGEST_CONVERSATION_MS = MS_PER_HOUR

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Turns:
    """Requests as turns of conversations; a one-shot request is a conversation of one turn."""

    time_ms: Ints
    conversation: Ints
    turn: Ints
    first_row: Ints
    conversations: int


def start_times(workload: Workload, rng: np.random.Generator, hour: int, intensity: float) -> Ints:
    """Start times in ms since the epoch of the conversations that start in `hour`, ascending."""
    per_conversation = intensity / workload.prompts.turns
    if workload.arrival == "regular":
        count = round(per_conversation)
        offsets = (np.arange(count) + rng.random(count) * 0.2) * (MS_PER_HOUR / max(count, 1))
    else:
        count = int(rng.poisson(per_conversation))
        offsets = np.sort(rng.random(count)) * MS_PER_HOUR
        if workload.arrival == "cron":
            offsets = _fan_out_offsets(workload.fan_out, rng, count)
        elif workload.arrival == "bursts":
            offsets = _burst_offsets(workload.fan_out, rng, count)
    return hour * MS_PER_HOUR + np.floor(offsets).astype(np.int64)


def _burst_offsets(fan_out: FanOut, rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Fan-outs that begin at random times of the hour; one cut off by its end starts earlier."""
    bursts = max(1, min(fan_out.bursts_per_hour, count))
    begins = rng.random(bursts) * (MS_PER_HOUR - fan_out.done_seconds * 1000.0)
    sizes = np.bincount(np.arange(count) % bursts, minlength=bursts)
    parts = [
        begin + _fan_out_offsets(fan_out, rng, int(size))
        for begin, size in zip(begins, sizes, strict=True)
    ]
    return np.sort(np.concatenate(parts))


def _fan_out_offsets(fan_out: FanOut, rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """One wave by as many workers as the scaler started, the rest after its first answers.

    With the usual numbers the part that follows shrinks as the worker pool grows: 20 of 60
    requests, 100 of 900.
    """
    followers = min(count, round(fan_out.followers_factor * count**fan_out.followers_exponent))
    wave = rng.random(count - followers) * (fan_out.wave_seconds * 1000.0)
    fill_ms, done_ms = fan_out.fill_seconds * 1000.0, fan_out.done_seconds * 1000.0
    after = fill_ms + rng.random(followers) * (done_ms - fill_ms)
    return np.sort(np.concatenate([wave, after]))


def turns_of(prompts: Prompts, rng: np.random.Generator, starts: Ints) -> Turns:
    """Give each conversation its turns (geometric, mean `turns`), an hour long at most."""
    count = len(starts)
    if prompts.turns == 1.0:
        rows = np.arange(count)
        return Turns(starts, rows, np.zeros(count, np.int64), rows, count)
    lengths = rng.geometric(1.0 / prompts.turns, count)
    conversation = np.repeat(np.arange(count), lengths)
    first_row = np.repeat(np.cumsum(lengths) - lengths, lengths)
    pauses = rng.exponential(prompts.turn_pause_seconds * 1000.0, len(conversation))
    elapsed = np.cumsum(pauses)
    since_start = (elapsed - elapsed[first_row]).astype(np.int64)
    kept = since_start < LONGEST_CONVERSATION_MS
    turn = np.arange(len(conversation)) - first_row
    new_row = np.cumsum(kept) - 1
    return Turns(
        (starts[conversation] + since_start)[kept],
        conversation[kept],
        turn[kept],
        new_row[first_row][kept],
        count,
    )


def tenants_of(
    workload: Workload, rng: np.random.Generator, hour: int, busyness: float, conversations: int
) -> Ints:
    """The tenant of each conversation, 0-based."""
    prompts, openings = workload.prompts, workload.load.openings
    if prompts.tenants == 1:
        return np.zeros(conversations, np.int64)
    opening = openings is not None and openings.hours_since_opening(hour) == 0
    if prompts.one_pass_at_opening and opening:
        return np.arange(conversations) % prompts.tenants
    quiet = prompts.tenants_when_quiet or prompts.tenants
    active = max(1, round(quiet * (prompts.tenants / quiet) ** busyness))
    weights = 1.0 / np.arange(1, active + 1) ** prompts.tenant_skew
    bounds = np.cumsum(weights) / weights.sum()
    return np.searchsorted(bounds, rng.random(conversations), side="right").astype(np.int64)


def tail_tokens(prompts: Prompts, rng: np.random.Generator, busyness: float, count: int) -> Ints:
    """What each request adds of its own, in tokens; lognormal around the hour's mean, at least 1."""
    mean = prompts.tail_tokens * prompts.tail_at_peak**busyness
    mean *= np.exp(prompts.tail_hour_sigma * rng.standard_normal())
    sigma = prompts.tail_sigma
    draws = np.exp(sigma * rng.standard_normal(count) - sigma * sigma / 2.0) * mean
    tokens: Ints = np.maximum(1, np.round(draws)).astype(np.int64)
    return tokens


def repeated_from(prompts: Prompts, rng: np.random.Generator, count: int) -> Ints:
    """Row each request repeats word for word: its own, or an earlier one for `repeated_share`."""
    rows = np.arange(count)
    if not prompts.repeated_share:
        return rows
    own = rng.random(count) >= prompts.repeated_share
    return np.maximum.accumulate(np.where(own, rows, 0)).astype(np.int64)


def cumulative_by_conversation(turns: Turns, tail: Ints) -> Ints:
    """Tokens of a conversation up to and with each turn."""
    total = np.cumsum(tail)
    if not len(tail):
        return total
    return total - total[turns.first_row] + tail[turns.first_row]
