"""A server that sends byte by byte is given up at the deadline, in whatever part of its answer."""

from __future__ import annotations

import datetime as dt
import ipaddress
import time
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from ingest.openai_usage.client import UsageClient
from ingest.openai_usage.connection import Connection, Timeouts
from ingest.openai_usage.errors import AnswerTimedOut, KeyRejected, UsageError
from ingest.openai_usage.probe import ProbeResult, probe
from ingest.openai_usage.retrying import Patience
from tests.ingest.openai_usage.dripping import Dripping, dripping
from tests.ingest.openai_usage.provider import ADMIN_KEY, HOUR, bucket, encoded, page

NOW = dt.datetime(2025, 12, 1, tzinfo=dt.UTC)
LIMIT_S = 0.4
LONG_AFTER_S = 15  # what drips here would take minutes
ENDLESS = b"x" * 10_000
BODY = encoded(page(bucket(HOUR)))


def head(status: str, *headers: str) -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode()


WHOLE = head("200 OK", f"Content-Length: {len(BODY)}") + BODY
COUNTED = head("200 OK", "Content-Length: 10000")
UNTIL_CLOSED = head("200 OK", "Connection: close")
WRONG_KEY = head("401 Unauthorized", "Content-Length: 10000")


def asked(server: Dripping, *, tries: int = 1) -> tuple[UsageError, float]:
    """The error of one walk, and the seconds it took."""
    started_s = time.monotonic()
    usage = UsageClient(
        base_url=server.base_url,
        admin_key=ADMIN_KEY,
        patience=Patience(tries=tries, first_wait_s=0.01, longest_wait_s=0.01, jitter_s=0),
        timeouts=Timeouts(answer_s=LIMIT_S),
    )
    with usage, pytest.raises(UsageError) as caught:
        usage.walk_hours(HOUR, HOUR + 1)
    return caught.value, time.monotonic() - started_s


@pytest.mark.parametrize(
    ("sent", "at_once"),
    [
        (b"HTTP/1.1 200 OK\r\nX-Slow: " + ENDLESS, 0),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000, 0),
        (COUNTED + ENDLESS, len(COUNTED)),
        (UNTIL_CLOSED + ENDLESS, len(UNTIL_CLOSED)),
        (UNTIL_CLOSED + BODY + b" " * 10_000, len(UNTIL_CLOSED) + len(BODY)),
    ],
    ids=["headers", "informational answers", "a body", "a body without length", "a whole body"],
)
def test_an_answer_that_drips_is_given_up_at_the_deadline(sent: bytes, at_once: int) -> None:
    with dripping(sent, at_once=at_once) as server:
        problem, seconds = asked(server)
        assert server.ended.wait(LONG_AFTER_S), "the connection was left open"
    assert isinstance(problem, AnswerTimedOut)
    assert problem.sentence == "The answer was not complete after 0 s."
    assert LIMIT_S <= seconds < LONG_AFTER_S


def test_every_try_has_its_own_deadline() -> None:
    with dripping(COUNTED + ENDLESS) as server:
        problem, seconds = asked(server, tries=2)
        assert server.requests == 2
    assert isinstance(problem, AnswerTimedOut)
    assert 2 * LIMIT_S <= seconds < LONG_AFTER_S


def test_an_error_whose_words_drip_is_told_by_its_status() -> None:
    with dripping(WRONG_KEY + ENDLESS, at_once=len(WRONG_KEY)) as server:
        problem, seconds = asked(server)
    assert isinstance(problem, KeyRejected)
    assert LIMIT_S <= seconds < LONG_AFTER_S


def test_an_error_with_words_without_end_is_not_read_to_the_end() -> None:
    endless = head("401 Unauthorized", "Content-Length: 100000000") + b"x" * 200_000
    with dripping(endless, at_once=len(endless)) as server:
        problem, _ = asked(server)
    assert isinstance(problem, KeyRejected)


def test_a_second_answer_over_the_same_connection_has_a_deadline_too() -> None:
    with dripping(WHOLE, whole=1) as server:
        connection = Connection(
            base_url=server.base_url,
            admin_key=ADMIN_KEY,
            patience=Patience(tries=1),
            timeouts=Timeouts(answer_s=LIMIT_S),
        )
        assert connection.get("/first", []).body == BODY
        with pytest.raises(AnswerTimedOut):
            connection.get("/second", [])
        connection.close()
        assert (server.connections, server.requests) == (1, 2)


def test_tls_hinders_no_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = own_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with dripping(COUNTED + ENDLESS, certificate=certificate) as server:
        problem, seconds = asked(server)
        assert server.requests == 1
    assert isinstance(problem, AnswerTimedOut)
    assert problem.sentence == "The answer was not complete after 0 s."
    assert LIMIT_S <= seconds < LONG_AFTER_S


def probed(server: Dripping, total_s: float) -> tuple[ProbeResult, float]:
    started_s = time.monotonic()
    connection = Connection(base_url=server.base_url, admin_key=ADMIN_KEY)
    try:
        patience = Patience(tries=3, total_s=total_s, first_wait_s=0.01, longest_wait_s=0.01)
        found = probe(connection, NOW, patience)
    finally:
        connection.close()
    return found, time.monotonic() - started_s


def test_a_probe_waits_no_longer_than_its_patience_for_a_slow_answer() -> None:
    with dripping(COUNTED + ENDLESS, at_once=len(COUNTED)) as server:
        found, seconds = probed(server, LIMIT_S)
    assert (found.usage, found.code) == ("unknown", "timed_out")
    assert LIMIT_S <= seconds < LONG_AFTER_S


def test_a_probes_patience_is_for_all_its_questions_together() -> None:
    with dripping(WHOLE, at_once=len(WHOLE) - 60) as server:  # at least 1.2 s for each
        found, seconds = probed(server, 3.0)
    assert (found.usage, found.code, found.lookback_hour) == ("granted", None, None)
    assert found.sentence.endswith("how far back usage is kept could not be found out.")
    assert seconds < LONG_AFTER_S


def own_certificate(folder: Path) -> Path:
    """A certificate for 127.0.0.1 that vouches for itself, and its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    today = dt.datetime.now(dt.UTC)
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - dt.timedelta(days=1))
        .not_valid_after(today + dt.timedelta(days=1))
        .add_extension(address, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + signed.public_bytes(serialization.Encoding.PEM)
    )
    return file
