"""Logs of requests for tests, from columns as one would write them down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.requests.batch import RequestBatch

IDENTITIES = {
    "session": "session",
    "key": "prompt_cache_key",
    "account": "account",
    "prefix": "prefix_hash",
    "model": "model",
    "project": "project",
    "tier": "service_tier",
    "effort": "reasoning_effort",
    "diagnostics": "diagnostics",
}


class Coded(NamedTuple):
    codes: np.ndarray
    names: tuple[str, ...]


def coded(values: Sequence[str | None] | None, n: int) -> Coded:
    """Codes in order of first appearance, -1 for None."""
    if values is None:
        return Coded(np.full(n, -1, dtype=np.int64), ())
    assert len(values) == n
    names = list(dict.fromkeys(value for value in values if value is not None))
    codes = [-1 if value is None else names.index(value) for value in values]
    return Coded(np.array(codes, dtype=np.int64), tuple(names))


def tokens(values: Sequence[float | None] | None, n: int) -> np.ndarray:
    """Counts, nan for None."""
    if values is None:
        return np.full(n, np.nan)
    assert len(values) == n
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def log_of(
    inputs: Sequence[float] | float,
    cached: Sequence[float | None],
    *,
    seconds: Sequence[float] | float | None = None,
    writes: Sequence[float | None] | None = None,
    streamed: Sequence[int] | None = None,
    missed: Sequence[float | None] | None = None,
    arms: Mapping[str, Sequence[str | None]] | None = None,
    **identities: Sequence[str | None],
) -> RequestBatch:
    """A batch. One number for `inputs` is every request's; for `seconds` it is the step of time."""
    n = len(cached)
    inputs = [inputs] * n if isinstance(inputs, int | float) else list(inputs)
    if isinstance(seconds, int | float):
        seconds = [1_790_000_000 + seconds * place for place in range(n)]
    columns = {name: coded(identities.get(name), n) for name in IDENTITIES}
    of_arms = {name: coded(values, n) for name, values in (arms or {}).items()}
    present = {IDENTITIES[name] for name in identities} | set(of_arms)
    present |= {"timestamp"} if seconds is not None else set()
    present |= {"cache_write_tokens"} if writes is not None else set()
    return RequestBatch(
        time=tokens(seconds, n),
        input_tokens=tokens(inputs, n),
        cached_tokens=tokens(cached, n),
        write_tokens=tokens(writes, n),
        **{name: one.codes for name, one in columns.items()},
        streamed=np.array([-1] * n if streamed is None else streamed, dtype=np.int8),
        missed_hint=tokens(missed, n),
        columns_present=frozenset(present | {"input_tokens", "cached_input_tokens"}),
        arms={name: one.codes for name, one in of_arms.items()},
        arm_names={name: one.names for name, one in of_arms.items()},
        **{
            f"{name}_names": columns[name].names
            for name in ("model", "project", "tier", "effort", "diagnostics")
        },
    )


def distinct(prefix: str, n: int) -> list[str]:
    """n different values."""
    return [f"{prefix}-{place}" for place in range(n)]
