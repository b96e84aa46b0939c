"""The simulator over HTTP.

The standard library's threading server is enough: one process shares the computed hours among
all callers, starts in milliseconds and needs no worker management. It is not a production server
and listens on the loopback address unless told otherwise.
"""

from __future__ import annotations

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any

from ingest.simulator.api import Api, Call

LONGEST_BODY = 1 << 20
IDLE_SECONDS = 60


class Server(ThreadingHTTPServer):
    """Serves an Api until shut down; open connections never hold it back."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, host: str, port: int, api: Api) -> None:
        super().__init__((host, port), Handler)
        self.api = api

    @property
    def url(self) -> str:
        """Where it listens, without a path."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}"

    def server_bind(self) -> None:
        """Bind without asking the name service who the host is: that can take seconds."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that hung up is no event; anything else is printed."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """One connection, kept alive over several calls."""

    protocol_version = "HTTP/1.1"
    server_version = "cachewatch-simulator"
    sys_version = ""
    timeout = IDLE_SECONDS
    server: Server

    def _respond(self) -> None:
        length = self.headers.get("Content-Length", "0")
        size = int(length) if length.isdecimal() else 0
        body = self.rfile.read(min(size, LONGEST_BODY)) if size > 0 else b""
        if size > LONGEST_BODY:
            self.close_connection = True
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self.server.api.answer(Call(self.command, self.path, headers, body))
        self.send_response(answer.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def __getattr__(self, name: str) -> Any:
        """Every method is answered, do_GET as do_QUERY: what may not be done is the Api's to say."""
        if name.startswith("do_"):
            return self._respond
        raise AttributeError(name)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Silent: the callers have logs of their own."""
