"""One deadline for a whole exchange: connection, headers and body together.

httpx and httpcore bound each wait for bytes, and none of their time-outs holds against a server that
sends one byte at a time: its headers are read inside of one call. So a timer shuts the socket down,
and the read that waits on it ends at once.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

# httpcore's trace events (its documentation, "Request Extensions"): a new stream is their result.
_NEW_STREAM = (".connect_tcp.complete", ".start_tls.complete")


class Watchdog:
    """Cuts the exchange that is under way, over one connection at a time, when its time is up."""

    def __init__(self) -> None:
        self.expired = False
        self._socket: socket.socket | None = None

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Let what is inside take at most so long; `expired` says whether it was cut."""
        self.expired = False
        timer = threading.Timer(seconds, self._expire)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            # A timer that went off just now may not cut the next exchange.
            timer.join()

    def trace(self, event: str, details: Mapping[str, Any]) -> None:
        """Note the socket that is in use: httpcore calls this, as the extension `trace`."""
        if not event.endswith(_NEW_STREAM):
            return
        self._socket = details["return_value"].get_extra_info("socket")
        if self.expired:
            self._cut()

    def _expire(self) -> None:
        self.expired = True
        self._cut()

    def _cut(self) -> None:
        """Shut down, not close: a closed descriptor may by then be somebody else's."""
        if self._socket is not None:
            with suppress(OSError):
                # Of TLS too, the plain way: its own would tear down what another thread reads from.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
