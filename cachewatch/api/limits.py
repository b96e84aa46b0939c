"""How many requests a caller may make in a minute, and how many that cost more than an answer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from django.conf import settings
from ninja.throttling import BaseThrottle

from cachewatch.api.errors import TooManyRequests
from cachewatch.rate_limits import WINDOW_S, seconds_to_wait

if TYPE_CHECKING:
    from django.http import HttpRequest


def limit_caller(caller: str) -> None:
    """Count a request of a token or of a person. Raises TooManyRequests."""
    wait_s = seconds_to_wait("caller", caller, settings.CALLER_REQUESTS_PER_MINUTE)
    if wait_s is not None:
        raise TooManyRequests(wait_s)


class Costly(BaseThrottle):
    """`throttle=Costly()`: an operation that asks a provider or reads a log; a person's tokens share
    one count."""

    def allow_request(self, request: HttpRequest) -> bool:
        """Whether the person may ask for it once more in this minute."""
        person = f"person-{request.auth.user.pk}"  # type: ignore[attr-defined]  # by our classes
        return seconds_to_wait("costly", person, settings.COSTLY_REQUESTS_PER_MINUTE) is None

    def wait(self) -> float:
        """Seconds until the next minute."""
        return WINDOW_S - time.time() % WINDOW_S


COSTLY = Costly()
