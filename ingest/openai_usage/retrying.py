"""When a failed request is tried again, and how long to wait before it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TypeVar

import stamina
from stamina.instrumentation import RetryDetails, set_on_retry_hooks

from ingest.openai_usage.errors import AnswerTimedOut, ProviderFailed, RateLimited, UsageError

logger = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True)
class Patience:
    """How often a request is tried, and how long all its tries may take, waits and all.

    Waits double from `first_wait_s` to `longest_wait_s`, each with up to `jitter_s` added at
    random; a Retry-After takes their place, and one above `longest_retry_after_s` ends the tries.
    So does a wait that could go on beyond `total_s`.
    """

    tries: int = 6
    total_s: float = 300.0
    first_wait_s: float = 1.0
    longest_wait_s: float = 30.0
    jitter_s: float = 1.0
    longest_retry_after_s: float = 120.0

    def run(self, request: Callable[[float], T], *, retry_timeouts: bool = True) -> T:
        """Call `request` until it succeeds or patience ends; then its last UsageError passes on.

        Each try is given the seconds that are left of `total_s`.
        """
        end_s = time.monotonic() + self.total_s
        tries = stamina.retry_context(
            on=lambda error: self._wait_for(
                error, end_s - time.monotonic(), retry_timeouts=retry_timeouts
            ),
            attempts=self.tries,
            timeout=self.total_s,
            wait_initial=self.first_wait_s,
            wait_max=self.longest_wait_s,
            wait_jitter=self.jitter_s,
        )
        for attempt in tries:
            with attempt:
                return request(end_s - time.monotonic())
        raise AssertionError("the last try either returned or raised")  # pragma: no cover

    def _wait_for(self, error: Exception, left_s: float, *, retry_timeouts: bool) -> float | bool:
        """Seconds to wait before the next try; True: the doubling wait; False: no further try."""
        if isinstance(error, AnswerTimedOut) and not retry_timeouts:
            return False
        if not isinstance(error, (RateLimited, ProviderFailed)):
            return False
        asked_s = error.retry_after_s
        if asked_s is None:
            return left_s > self.longest_wait_s + self.jitter_s
        return asked_s if asked_s < min(self.longest_retry_after_s, left_s) else False


def retry_after_s(value: str | None, now_s: float) -> float | None:
    """Seconds to wait by a Retry-After header: a number of seconds, or an HTTP date.

    RFC 9110, section 10.2.3. None where there is none, or it cannot be read; never negative.
    """
    if value is None:
        return None
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
        return max(0.0, moment.timestamp() - now_s)
    except (TypeError, ValueError, OverflowError):
        return None


def _tell(details: RetryDetails) -> None:
    sentence = details.caused_by.sentence if isinstance(details.caused_by, UsageError) else ""
    logger.warning("%s Trying again in %.1f s.", sentence, details.wait_for)


# The library's own hook prints to standard output wherever structlog is not configured, and
# `diagnose --json` writes nothing but its document there.
set_on_retry_hooks([_tell])
