"""The web server as the product starts it, in processes of its own, and a client that keeps count."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple

from cachewatch.embedded.children import web

ROOT = Path(__file__).resolve().parent.parent
THREADS = 8
START_SECONDS = 120


class WebServer(NamedTuple):
    """Where it listens, and the process whose children answer."""

    port: int
    pid: int

    @property
    def url(self) -> str:
        """Without a path."""
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def web_server(environment: Mapping[str, str]) -> Iterator[WebServer]:
    """Start it on any free port; stop it at the end."""
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", 0))
        listening.listen(128)
        port = listening.getsockname()[1]
        process = subprocess.Popen(
            web(listening.fileno(), THREADS),
            cwd=ROOT,
            env=os.environ | environment | {"PORT": str(port), "CACHEWATCH_LOG_LEVEL": "INFO"},
            stderr=subprocess.DEVNULL,
            pass_fds=[listening.fileno()],
        )
        try:
            _wait_until_open(port)
            yield WebServer(port, process.pid)
        finally:
            process.terminate()
            process.wait(30)


class Caller:
    """One kept connection with one token."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {"Authorization": f"Bearer {token}"}

    def get(self, path: str) -> tuple[int, int, float]:
        """Status, bytes of the body, and seconds to the last byte."""
        began = time.perf_counter()
        self._connection.request("GET", path, headers=self._headers)
        answer = self._connection.getresponse()
        size = len(answer.read())
        return answer.status, size, time.perf_counter() - began

    def close(self) -> None:
        """Give the connection up."""
        self._connection.close()


def _wait_until_open(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=START_SECONDS)
            connection.request("GET", "/healthz")
            connection.getresponse().read()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return
