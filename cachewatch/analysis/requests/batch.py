"""A log of requests as arrays. Identities are codes: only presence and equality remain of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import NDArray

from cachewatch.analysis.segments import Bools, Floats, Ints

UNKNOWN_CODE = -1
BATCH_TIER = "batch"
_NAMED = {
    "session": "session",
    "prompt_cache_key": "key",
    "account": "account",
    "prefix_hash": "prefix",
    "model": "model",
    "project": "project",
    "service_tier": "tier",
    "reasoning_effort": "effort",
    "streamed": "streamed",
}


@dataclass(frozen=True)
class RequestBatch:
    """n requests in order of time where it is known, else as the log has them.

    Attributes:
        time: seconds since the epoch, UTC; nan = not known.
        input_tokens: whole prompt, cached tokens inside; nan = not reported.
        cached_tokens, write_tokens: read from and written to the prompt cache; nan = not reported.
        session, key, account, prefix, model, project, tier, effort, diagnostics: codes from 0;
            -1 = not reported. Equal codes are equal values.
        streamed: 1, 0, or -1 for not known.
        missed_hint: the provider's own count of missed tokens; nan = none.
        columns_present: the columns that the log has at all, named as in the generic form.
        arms: codes of further columns, by name; arm_names: their values by code.
        model_names, tier_names, effort_names, diagnostics_names, project_names: values by code.

    Raises:
        ValueError: an array has another length than `input_tokens`.

    """

    time: Floats
    input_tokens: Floats
    cached_tokens: Floats
    write_tokens: Floats
    session: Ints
    key: Ints
    account: Ints
    prefix: Ints
    model: Ints
    project: Ints
    tier: Ints
    effort: Ints
    diagnostics: Ints
    streamed: NDArray[np.int8]
    missed_hint: Floats
    columns_present: frozenset[str] = frozenset()
    arms: Mapping[str, Ints] = field(default_factory=dict)
    arm_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    model_names: tuple[str, ...] = ()
    project_names: tuple[str, ...] = ()
    tier_names: tuple[str, ...] = ()
    effort_names: tuple[str, ...] = ()
    diagnostics_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        wrong = [name for name, values in self._columns() if len(values) != len(self)]
        if wrong:
            raise ValueError(f"{', '.join(wrong)}: not as long as input_tokens ({len(self)})")

    def __len__(self) -> int:
        return len(self.input_tokens)

    def in_order_of_time(self) -> RequestBatch:
        """The same requests by time; equal times stay as they are."""
        return self.only(np.argsort(self.time, kind="stable"))

    def only(self, mask: Bools | Ints) -> RequestBatch:
        """The marked requests, or those at these places."""
        columns = {
            one.name: getattr(self, one.name)[mask]
            for one in fields(self)
            if isinstance(getattr(self, one.name), np.ndarray)
        }
        arms = {name: codes[mask] for name, codes in self.arms.items()}
        return replace(self, **columns, arms=arms)

    def has(self, column: str) -> bool:
        """Whether the log has the column at all."""
        return column in self.columns_present

    @property
    def comparable(self) -> tuple[str, ...]:
        """The columns of this log that requests can be compared by."""
        return tuple(sorted({*self.arms, *(one for one in _NAMED if self.has(one))}))

    def codes_of(self, column: str) -> Ints:
        """Codes of a column that may be an arm. Raises KeyError where there is none."""
        if column in self.arms:
            return self.arms[column]
        codes: Ints = getattr(self, _NAMED[column]).astype(np.int64)
        return codes

    def words_of(self, column: str) -> tuple[str, ...]:
        """The values of a column by code; identities have none: account 1, account 2."""
        named = {
            "model": self.model_names,
            "project": self.project_names,
            "service_tier": self.tier_names,
            "reasoning_effort": self.effort_names,
            "streamed": ("not streamed", "streamed"),
        }
        if column in self.arm_names:
            return self.arm_names[column]
        if column in named:
            return named[column]
        codes = self.codes_of(column)
        label = column.replace("prompt_cache_", "").replace("_hash", "")
        return tuple(f"{label} {code + 1}" for code in range(int(codes.max(initial=-1)) + 1))

    def _columns(self) -> list[tuple[str, NDArray[np.generic]]]:
        own = [(one.name, getattr(self, one.name)) for one in fields(self)]
        arrays = [(name, values) for name, values in own if isinstance(values, np.ndarray)]
        return [*arrays, *self.arms.items()]
