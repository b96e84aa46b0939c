"""Faults on demand: the next calls under a path answered with a given status, delay or body."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from threading import Lock
from typing import NamedTuple

LONGEST_DELAY_SECONDS = 600.0
LONGEST_RETRY_AFTER_SECONDS = 86_400
MOST_TIMES = 1_000_000


@dataclass
class Fault:
    """Applies to the next `times` calls whose path starts with `path`.

    `status` None: the call is answered as usual after `delay_seconds`. `body` None: the
    provider's error shape for the status.
    """

    path: str = "/v1"
    status: int | None = None
    times: int = 1
    retry_after: int | None = None
    delay_seconds: float = 0.0
    body: str | None = None

    @classmethod
    def read(cls, text: bytes) -> Fault:
        """Read a fault from JSON; raises ValueError with a sentence for anything else."""
        try:
            given = json.loads(text)
        except RecursionError:
            raise ValueError("the JSON is nested too deeply") from None
        if not isinstance(given, dict) or given.keys() - _MEANT.keys():
            raise ValueError(f"a fault is a JSON object with some of {sorted(_MEANT)}")
        for name, value in given.items():
            meant = _MEANT[name]
            if not meant.holds(value):
                raise ValueError(f"{name} must be {meant.words}")
        return cls(**given)


class _Meant(NamedTuple):
    """What a field of a fault may hold."""

    holds: Callable[[object], bool]
    words: str


def _whole(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _is_text(value: object) -> bool:
    """Text that can be sent: half of a surrogate pair cannot."""
    return isinstance(value, str) and value.encode(errors="ignore").decode() == value


_MEANT = {
    "path": _Meant(_is_text, "the beginning of a path, such as /v1"),
    "status": _Meant(
        lambda value: value is None or _whole(value, 200, 599), "null or between 200 and 599"
    ),
    "times": _Meant(lambda value: _whole(value, 1, MOST_TIMES), f"from 1 to {MOST_TIMES}"),
    "retry_after": _Meant(
        lambda value: value is None or _whole(value, 0, LONGEST_RETRY_AFTER_SECONDS),
        f"null or whole seconds from 0 to {LONGEST_RETRY_AFTER_SECONDS}",
    ),
    "delay_seconds": _Meant(
        lambda value: type(value) in (int, float) and 0 <= value <= LONGEST_DELAY_SECONDS,  # type: ignore[operator]
        f"seconds from 0 to {LONGEST_DELAY_SECONDS:.0f}",
    ),
    "body": _Meant(lambda value: value is None or _is_text(value), "null or text"),
}


class Faults:
    """The faults that are still to happen; safe in threads."""

    def __init__(self) -> None:
        self._waiting: list[Fault] = []
        self._lock = Lock()

    def add(self, fault: Fault) -> None:
        """Let a fault happen."""
        with self._lock:
            self._waiting.append(fault)

    def clear(self) -> None:
        """Forget all faults that have not happened."""
        with self._lock:
            self._waiting.clear()

    def waiting(self) -> list[dict[str, object]]:
        """The faults still to happen, oldest first."""
        with self._lock:
            return [asdict(fault) for fault in self._waiting]

    def take(self, path: str) -> Fault | None:
        """The fault that strikes a call on `path`, if any; uses up one of its times."""
        with self._lock:
            for fault in self._waiting:
                if path.startswith(fault.path):
                    fault.times -= 1
                    if fault.times == 0:
                        self._waiting.remove(fault)
                    return fault
        return None
