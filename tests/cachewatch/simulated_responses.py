"""A Responses API with a prompt cache of its own, over HTTP: a token is a word.

`rounded`: any common prefix of 1,024 tokens or more is read, in steps of 128 (up to GPT-5.4).
`breakpoints`: only what was written up to a breakpoint or the end of the last message is read, to the
token, and the rest up to there is written (from GPT-5.6).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

KEY = "sk-proj-simulated-key-0123456789"
MINIMUM = 1024
Mode = Literal["rounded", "breakpoints"]


class SimulatedResponses:
    """What was sent, and how it is answered. `fail_from`: requests from this one on get `failure`."""

    def __init__(self, mode: Mode) -> None:
        self.mode = mode
        self.bodies: list[dict[str, Any]] = []
        self.reports_cached = True
        self.fail_from: int | None = None
        self.failure: tuple[int, dict[str, Any]] = (500, {"message": "broken"})
        self._held: list[list[str]] = []

    def answer(self, key: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if key != KEY:
            return 401, {"error": {"message": f"Incorrect API key provided: {key}", "code": "x"}}
        self.bodies.append(body)
        if self.fail_from is not None and len(self.bodies) >= self.fail_from:
            status, error = self.failure
            return status, {"error": error}
        words, ends = _words_and_ends(body)
        cached = self._read(words)
        written = 0
        if self.mode == "breakpoints":
            ends = [end for end in ends if end >= MINIMUM]
            self._held += [words[:end] for end in ends]
            written = max(ends, default=0) - cached
        else:
            self._held.append(words)
        details = {"cached_tokens": cached, "cache_write_tokens": written}
        usage = {
            "input_tokens": len(words),
            "output_tokens": 2,
            "input_tokens_details": details if self.reports_cached else {},
        }
        return 200, {"id": "resp_1", "object": "response", "usage": usage}

    def _read(self, words: list[str]) -> int:
        if self.mode == "breakpoints":
            return max((len(held) for held in self._held if words[: len(held)] == held), default=0)
        common = max((_common(held, words) for held in self._held), default=0)
        return common // 128 * 128 if common >= MINIMUM else 0


def _words_and_ends(body: dict[str, Any]) -> tuple[list[str], list[int]]:
    """The tokens, and where a breakpoint stands; the end of the last message is one by itself."""
    words: list[str] = []
    ends = []
    for message in body["input"]:
        content = message["content"]
        parts = [{"text": content}] if isinstance(content, str) else content
        for part in parts:
            words += [message["role"], *part["text"].split()]
            if "prompt_cache_breakpoint" in part:
                ends.append(len(words))
    return words, [*ends, len(words)]


def _common(a: list[str], b: list[str]) -> int:
    return next(
        (n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )


@contextmanager
def served(api: SimulatedResponses) -> Iterator[str]:
    """The base URL of the API, while it is served."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            key = self.headers["Authorization"].removeprefix("Bearer ")
            found = 404, {"error": {"message": "no such path"}}
            if self.path == "/v1/responses":
                found = api.answer(key, sent)
            text = json.dumps(found[1]).encode()
            self.send_response(found[0])
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Nothing on standard error."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
