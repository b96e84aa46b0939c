"""What a usage API may send in place of an answer, one function each."""

from __future__ import annotations

import gzip
import json
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from tests.faults.wire import LONGEST_WAIT_S, Fault, http, reset

BETWEEN_BYTES_S = 0.05
# Over 32 MiB once unpacked, a thousandth of it on the wire.
BOMB = gzip.compress(b"[" * (33 * 1024 * 1024))
ERROR = {"error": {"message": "Made on demand.", "type": "server_error", "code": None}}


def never_answers(asking: socket.socket, _good: bytes) -> None:
    """Until the caller hangs up."""
    asking.settimeout(LONGEST_WAIT_S)
    with suppress(TimeoutError):
        asking.recv(1)


def hangs_up_before_the_answer(asking: socket.socket, _good: bytes) -> None:
    asking.shutdown(socket.SHUT_RDWR)


def resets_before_the_answer(asking: socket.socket, _good: bytes) -> None:
    reset(asking)


def resets_amid_the_body(asking: socket.socket, good: bytes) -> None:
    asking.sendall(http(good[: len(good) // 2], length=len(good)))
    reset(asking)


def hangs_up_amid_the_body(asking: socket.socket, good: bytes) -> None:
    asking.sendall(http(good[: len(good) // 2], length=len(good)))


def hangs_up_amid_a_chunk(asking: socket.socket, good: bytes) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    asking.sendall(head + b"%x\r\n" % len(good) + good[: len(good) // 2])


def drips_its_headers(asking: socket.socket, good: bytes) -> None:
    _drip(asking, http(good))


def drips_its_body(asking: socket.socket, good: bytes) -> None:
    asking.sendall(http(b"", length=len(good)))
    _drip(asking, good)


def speaks_no_http(asking: socket.socket, _good: bytes) -> None:
    asking.sendall(b"\x16\x03\x01\x00\x05 not what was asked for\r\n\r\n")


def sends_half_a_document(asking: socket.socket, good: bytes) -> None:
    asking.sendall(http(good[: len(good) // 2]))


def sends_nothing(asking: socket.socket, _good: bytes) -> None:
    asking.sendall(http(b""))


def sends_bytes_that_are_no_text(asking: socket.socket, _good: bytes) -> None:
    asking.sendall(http(b"\xff\xfe\x00{}"))


def sends_a_web_page(asking: socket.socket, _good: bytes) -> None:
    asking.sendall(http(b"<html><p>Sign in</p></html>", Content_Type="text/html"))


def sends_a_gzip_bomb(asking: socket.socket, _good: bytes) -> None:
    with suppress(OSError):
        asking.sendall(http(BOMB, Content_Encoding="gzip"))


def sends_a_bomb_packed_twice(asking: socket.socket, _good: bytes) -> None:
    with suppress(OSError):
        asking.sendall(http(gzip.compress(BOMB), Content_Encoding="gzip, gzip"))


def sends_gzip_that_is_none(asking: socket.socket, good: bytes) -> None:
    asking.sendall(http(good, Content_Encoding="gzip"))


def sends_a_document_without_end_of_nesting(asking: socket.socket, _good: bytes) -> None:
    asking.sendall(http(b'{"data":' + b"[" * 200_000))


def goes_in_a_circle(asking: socket.socket, good: bytes) -> None:
    _page(asking, good, next_page="page_AAAA")


def announces_a_page_without_a_cursor(asking: socket.socket, good: bytes) -> None:
    _page(asking, good, next_page=None)


def sends_usage_of_another_kind(asking: socket.socket, good: bytes) -> None:
    asking.sendall(http(good.replace(b"usage.completions.result", b"usage.embeddings.result")))


def sends_daily_buckets(asking: socket.socket, good: bytes) -> None:
    page = json.loads(good)
    page["data"] = [page["data"][0] | {"end_time": page["data"][0]["start_time"] + 86_400}]
    asking.sendall(http(json.dumps(page).encode()))


def redirects(asking: socket.socket, _good: bytes) -> None:
    asking.sendall(http(b"", status=302, Location="http://127.0.0.1:9/elsewhere"))


def refuses(status: int, **headers: str) -> Fault:
    """An error of this status, with these headers."""

    def fault(asking: socket.socket, _good: bytes) -> None:
        asking.sendall(http(json.dumps(ERROR).encode(), status=status, **headers))

    fault.__name__ = f"refuses with {status}{' '.join(['', *headers.values()])}"
    return fault


def _page(asking: socket.socket, good: bytes, **fields: Any) -> None:
    page = json.loads(good) | {"has_more": True} | fields
    asking.sendall(http(json.dumps(page).encode()))


def _drip(asking: socket.socket, sent: Iterable[int]) -> None:
    """One byte at a time, so that no wait between two of them is ever long."""
    with suppress(OSError):
        for byte in sent:
            asking.sendall(bytes([byte]))
            time.sleep(BETWEEN_BYTES_S)
