"""A real server that sends its answer slowly, byte by byte, and so never lets a read time out."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

BETWEEN_BYTES_S = 0.02


class Dripping:
    """Answers every request with the same bytes: the first `at_once` of them together.

    The first `whole` answers come all at once.
    """

    def __init__(self, sent: bytes, at_once: int, whole: int, tls: ssl.SSLContext | None) -> None:
        self._sent, self._at_once, self._whole, self._tls = sent, at_once, whole, tls
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.ended = threading.Event()  # a client hung up before the last byte
        self.connections = self.requests = 0
        self._stopped = threading.Event()

    @property
    def base_url(self) -> str:
        scheme = "https" if self._tls else "http"
        return f"{scheme}://127.0.0.1:{self._listening.getsockname()[1]}/v1"

    def serve(self) -> None:
        """Until stop(): one client after the other."""
        while not self._stopped.is_set():
            with suppress(OSError):
                asking, _ = self._listening.accept()
                self.connections += 1
                with self._tls.wrap_socket(asking, server_side=True) if self._tls else asking as it:
                    self._answer_all(it)

    def stop(self) -> None:
        self._stopped.set()
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _answer_all(self, asking: socket.socket) -> None:
        while asking.recv(65_536):
            self.requests += 1
            at_once = len(self._sent) if self.requests <= self._whole else self._at_once
            asking.sendall(self._sent[:at_once])
            for byte in self._sent[at_once:]:
                if self._stopped.wait(BETWEEN_BYTES_S):
                    return
                try:
                    asking.sendall(bytes([byte]))
                except OSError:
                    self.ended.set()
                    raise


@contextmanager
def dripping(
    sent: bytes, *, at_once: int = 0, whole: int = 0, certificate: Path | None = None
) -> Iterator[Dripping]:
    """Such a server; `certificate` is a file with its key and certificate."""
    tls = None
    if certificate is not None:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate)
    server = Dripping(sent, at_once, whole, tls)
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()
