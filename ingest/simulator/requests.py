"""The requests that start in one hour: a pure function of (seed, anchor, workload, hour)."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ingest.simulator import arrivals
from ingest.simulator.seeding import Hashes, generator, mix, name_hash
from ingest.simulator.workload import Workload

MS_PER_HOUR = 3_600_000
LEVELS = ("template", "tenant", "whole")

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Requests:
    """Columns, one row a request; `entries` and `readable` have one column per level.

    time_ms since the epoch; cell index; route hash (initial tokens and key); account hash (the
    key, where it separates accounting); entries: identity of each shareable beginning; readable:
    its tokens; written_to: where the last breakpoint ends; spill: uniform draw; late: not yet
    reported until the hour is restated.
    """

    time_ms: Ints
    cell: Ints
    route: Hashes
    account: Hashes
    entries: Hashes
    readable: Ints
    input_tokens: Ints
    output_tokens: Ints
    spill: NDArray[np.float64]
    late: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.time_ms)

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Requests:
        """The chosen rows, in the order given."""
        return Requests(*(getattr(self, column.name)[rows] for column in fields(self)))


def join(batches: list[Requests]) -> Requests:
    """All rows of several batches (at least one), one after the other."""
    return Requests(
        *(np.concatenate([getattr(one, c.name) for one in batches]) for c in fields(Requests))
    )


def requests_started_in(workload: Workload, seed: int, anchor_hour: int, hour: int) -> Requests:
    """Requests (or whole conversations) that start in `hour`.

    A conversation's turns stand together; later ones may lie up to an hour beyond.
    """
    stream = workload.stream_name
    rng = generator(seed, anchor_hour, stream, "requests", hour)
    intensity = 0.0
    if workload.active(hour, anchor_hour):
        intensity = workload.load.intensity(seed, anchor_hour, stream, hour)
    starts = arrivals.start_times(workload, rng, hour, intensity)
    turns = arrivals.turns_of(workload.prompts, rng, starts)
    return _columns(workload, rng, hour, intensity, turns)


def _columns(
    workload: Workload,
    rng: np.random.Generator,
    hour: int,
    intensity: float,
    turns: arrivals.Turns,
) -> Requests:
    prompts = workload.prompts
    busyness = workload.load.busyness(intensity)
    tenant = arrivals.tenants_of(workload, rng, hour, busyness, turns.conversations)[
        turns.conversation
    ]
    tail = arrivals.tail_tokens(prompts, rng, busyness, len(turns.time_ms))
    origin = arrivals.repeated_from(prompts, rng, len(tail))
    tenant, tail = tenant[origin], tail[origin]
    history = arrivals.cumulative_by_conversation(turns, tail)
    static = prompts.template_tokens + prompts.tenant_tokens
    size = static + history
    unique = mix(
        np.arange(len(tail)) + np.int64(hour) * 1_000_003 + name_hash(workload.name) % 2**40
    )
    whole = unique[origin] if prompts.turns == 1.0 else unique[turns.first_row]
    entries, readable = _levels(workload, tenant, whole, size, tail, turns)
    route, account = _route(workload, tenant, unique[turns.first_row], unique)
    return Requests(
        time_ms=turns.time_ms,
        cell=rng.integers(0, len(workload.cells), len(tail)),
        route=route,
        account=account,
        entries=entries,
        readable=readable,
        input_tokens=size,
        output_tokens=1 + rng.poisson(prompts.output_tokens, len(tail)),
        spill=rng.random(len(tail)),
        late=_late(workload, rng, hour, len(tail)),
    )


def _levels(
    workload: Workload, tenant: Ints, whole: Hashes, size: Ints, tail: Ints, turns: arrivals.Turns
) -> tuple[Hashes, Ints]:
    """Entry identities and readable tokens, shape (requests, 3): template, tenant, whole."""
    prompts, rows = workload.prompts, len(tenant)
    base = np.uint64(name_hash(workload.name))
    template = np.full(rows, base, np.uint64)
    entries = np.stack([template, mix(tenant.astype(np.uint64) ^ base), whole], axis=1)
    readable = np.zeros((rows, 3), np.int64)
    readable[:, 0] = prompts.template_tokens
    if prompts.tenant_tokens:
        readable[:, 1] = prompts.template_tokens + prompts.tenant_tokens
    if prompts.turns > 1.0:
        readable[:, 2] = np.where(turns.turn > 0, size - tail, 0)
    elif prompts.repeated_share:
        readable[:, 2] = size
    kept = np.array([level in workload.rules.readable for level in LEVELS])
    return entries, readable * kept


def _route(
    workload: Workload, tenant: Ints, conversation: Hashes, unique: Hashes
) -> tuple[Hashes, Hashes]:
    """Route and account hashes. Before GPT-5.6 the key steers the route; from it only the account."""
    rows = len(tenant)
    by_unit = {
        "none": np.zeros(rows, np.uint64),
        "template": np.ones(rows, np.uint64),
        "shard": mix(tenant.astype(np.uint64)) % np.uint64(workload.shards),
        "tenant": tenant.astype(np.uint64),
        "conversation": conversation,
        "request": unique,
    }
    key = mix(by_unit[workload.key] ^ np.uint64(name_hash(workload.key + workload.name)))
    if not workload.rules.automatic_routing:
        return key, np.zeros(rows, np.uint64)
    if workload.prompts.turns > 1.0:
        return mix(conversation), key
    return mix(tenant.astype(np.uint64)), key


def _late(workload: Workload, rng: np.random.Generator, hour: int, rows: int) -> NDArray[np.bool_]:
    draws = rng.random(rows)
    if workload.revision is None or hour % workload.revision.every:
        return np.zeros(rows, np.bool_)
    return draws < workload.revision.late_share
