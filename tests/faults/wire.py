"""A usage API on a real socket whose next answers are broken on the wire, byte by byte if need be."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ingest.simulator.access import Access
from ingest.simulator.api import USAGE_PATH, Api, Call
from ingest.simulator.world import World
from tests.factories import HOUR

# What is sent in place of a good answer: the socket to send it on, and the good body.
Fault = Callable[[socket.socket, bytes], None]
# What a page becomes before it is sent; the rest of the answer stays good.
Change = Callable[[dict[str, Any]], None]
SERIES = 3
FIRST_HOUR = HOUR - 24 * 15
LONGEST_WAIT_S = 20.0


class Wire:
    """Serves one simulated organization. `fault` strikes usage calls after `good` more good ones."""

    def __init__(self) -> None:
        self.now_s = (HOUR + 24 * 20) * 3600.0
        world = World((), 7, HOUR + 24 * 20, 35, SERIES)
        self.api = Api(world, Access(lenient=True), clock=lambda: self.now_s)
        self.fault: Fault | None = None
        self.change: Change | None = None
        self.good, self.calls = 0, 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._stopped = threading.Event()
        self._threads: list[threading.Thread] = []

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}/v1"

    def break_down(self, fault: Fault, *, after: int = 0) -> None:
        """Let the fault strike every usage call, after so many that are answered well."""
        self.fault, self.good = fault, after

    def recover(self) -> None:
        self.fault = self.change = None

    def serve(self) -> None:
        while not self._stopped.is_set():
            with suppress(OSError):
                asking, _ = self._listening.accept()
                thread = threading.Thread(target=self._connection, args=(asking,), daemon=True)
                self._threads.append(thread)
                thread.start()

    def stop(self) -> None:
        self._stopped.set()
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _connection(self, asking: socket.socket) -> None:
        with asking, suppress(OSError):
            asking.settimeout(LONGEST_WAIT_S)
            while head := _head(asking):
                if not self._answer(asking, head):
                    return

    def _answer(self, asking: socket.socket, head: bytes) -> bool:
        """Answer one call; whether the connection may be kept."""
        request, *lines = head.decode().split("\r\n")
        method, target, _ = request.split(" ")
        pairs = [line.split(": ", 1) for line in lines if line]
        answer = self.api.answer(Call(method, target, {name.lower(): v for name, v in pairs}))
        body = answer.body
        if target.startswith(USAGE_PATH):
            self.calls += 1
            if self.fault is not None and self.good == 0:
                self.fault(asking, body)
                return False
            self.good = max(0, self.good - 1)
            body = self._changed(body)
        asking.sendall(http(body, status=answer.status, Connection="keep-alive"))
        return True

    def _changed(self, body: bytes) -> bytes:
        if self.change is None:
            return body
        page = json.loads(body)
        self.change(page)
        return json.dumps(page).encode()


def http(body: bytes, *, status: int = 200, length: int | None = None, **headers: str) -> bytes:
    """An HTTP answer; `length` is what its Content-Length says, its true length by default."""
    sent = {"Content-Type": "application/json", "Connection": "close"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    lines = [
        f"HTTP/1.1 {status} Said",
        f"Content-Length: {len(body) if length is None else length}",
    ]
    lines += [f"{name}: {value}" for name, value in sent.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def reset(asking: socket.socket) -> None:
    """Close with RST in place of FIN: what a middlebox or a killed server does."""
    asking.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    asking.close()


def _head(asking: socket.socket) -> bytes:
    """The request's line and headers; nothing where the caller hung up."""
    head = b""
    while b"\r\n\r\n" not in head:
        piece = asking.recv(65_536)
        if not piece:
            return b""
        head += piece
    return head.partition(b"\r\n\r\n")[0]


@contextmanager
def wire() -> Iterator[Wire]:
    """Such a server, on any free port."""
    served = Wire()
    thread = threading.Thread(target=served.serve, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        served.stop()
        thread.join()
