"""Faults on demand: the next calls under a path answered with a given status, delay or body."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from threading import Lock

LONGEST_DELAY_SECONDS = 600.0


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
        given = json.loads(text)
        if not isinstance(given, dict) or given.keys() - asdict(cls()).keys():
            raise ValueError(f"a fault is a JSON object with some of {sorted(asdict(cls()))}")
        fault = cls(**given)
        if fault.status is not None and not 200 <= fault.status <= 599:
            raise ValueError("status must be between 200 and 599")
        if not 0 <= fault.delay_seconds <= LONGEST_DELAY_SECONDS or fault.times < 1:
            raise ValueError("delay_seconds must be 0 to 600 and times at least 1")
        return fault


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
