"""A running product as people and tools use it, asked again and again while it starts anew."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import httpx
import redis
from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from cachewatch.celery import app

PATIENCE_S = 240.0
QUEUE = "cachewatch"
HOURLY_READS, BETWEEN_READS_S = "ingest.refresh_sources", 15.0
_BETWEEN_TRIES_S = 0.1
_PASSING = {409, 429, 502, 503}  # 409: what a lost answer told of is there, or under way


class Doors:
    """The API with a token of the owner's. A call goes on until the product answers it."""

    def __init__(self, address: str, sign_in_link: str) -> None:
        self._http = httpx.Client(base_url=address, timeout=30.0)
        self._http.get(sign_in_link)
        self._http.get("/")
        made = self._http.post(
            "/api/v1/tokens",
            json={"name": "faults", "scopes": ["read", "annotate", "ingest", "admin"]},
            headers={"X-CSRFToken": self._http.cookies["csrftoken"], "Origin": address},
        )
        assert made.status_code == 201, made.text
        self._http.cookies.clear()
        self._http.headers["Authorization"] = f"Bearer {made.json()['token']}"

    def close(self) -> None:
        self._http.close()

    def ask(self, method: str, path: str, good: Iterable[int], **sent: Any) -> httpx.Response:
        """The answer, once it has one of the good statuses.

        No answer, and one that says "not now", are asked again; any other fails the test.
        """
        deadline, wanted = time.monotonic() + PATIENCE_S, set(good)
        while True:
            with suppress(httpx.TransportError):
                answer = self._http.request(method, f"/api/v1{path}", **sent)
                if answer.status_code in wanted:
                    return answer
                said = f"{method} {path}: {answer.status_code} {answer.text[:600]}"
                assert answer.status_code in _PASSING, said
            assert time.monotonic() < deadline, f"{method} {path} was not answered"
            time.sleep(_BETWEEN_TRIES_S)

    def ask_once(self, method: str, path: str, **sent: Any) -> httpx.Response:
        """The answer, whatever it is."""
        return self._http.request(method, f"/api/v1{path}", **sent)

    def add_source(self, name: str, key: str, base_url: str, days: int) -> str:
        """Add a source, however often the answer is lost; its slug."""
        body = {"name": name, "admin_key": key, "base_url": base_url, "backfill_days": days}
        while True:
            listed = self.ask("GET", "/sources", [200], params={"limit": 200}).json()["items"]
            slugs = [one["slug"] for one in listed if one["name"] == name]
            if slugs:
                assert len(slugs) == 1
                return str(slugs[0])
            with suppress(httpx.TransportError):
                answer = self._http.post("/api/v1/sources", json=body)
                assert answer.status_code in {201, *_PASSING}, answer.text

    def remove_source(self, slug: str) -> None:
        self.ask("DELETE", f"/sources/{slug}", [204, 404])

    def mark(self, slug: str, marker: dict[str, Any]) -> None:
        """Record a marker; one that was recorded before the answer was lost is the same one."""
        self.ask("POST", "/markers", [200, 201], json={"source": slug, **marker})

    def import_log(self, slug: str, log: bytes) -> None:
        """Hand a log over; the same one, sent again after a lost answer, is the same import."""
        self.ask(
            "POST",
            "/evidence",
            [200, 201, 202],  # 202: the worker reads it
            params={"source": slug, "name": "replay.jsonl"},
            content=log,
            headers={"Content-Type": "application/octet-stream"},
        )


class Beat:
    """Sends all that the schedule of beat holds, without waiting for its minute."""

    def __init__(self, redis_url: str) -> None:
        broker = redis_url.replace("unix://", "redis+socket://", 1)
        self._celery = Celery("faults", broker=broker, set_as_current=False)
        self._celery.conf.task_default_queue = QUEUE
        self._celery.conf.broker_transport_options = {"max_retries": 0}
        schedule = app.conf.beat_schedule.values()
        self._sends = [(one["task"], one.get("kwargs", {})) for one in schedule]
        self._broker = redis.Redis.from_url(redis_url)
        self._reads_again_at = 0.0

    def send_all(self) -> None:
        """All of it, once what was sent before is taken up; the hourly reads less often.

        Nothing where the broker does not answer just now.
        """
        with suppress(OperationalError, RedisError, OSError):
            if self._broker.llen(QUEUE):
                return
            reads = time.monotonic() > self._reads_again_at
            if reads:
                self._reads_again_at = time.monotonic() + BETWEEN_READS_S
            for name, arguments in self._sends:
                if reads or name != HOURLY_READS:
                    self.send(name, [], arguments)

    def send(self, name: str, args: list[Any], arguments: dict[str, Any]) -> None:
        """One task, known to the worker or not."""
        self._celery.send_task(name, args=args, kwargs=arguments, expires=60, retry=False)

    def close(self) -> None:
        self._celery.close()
        self._broker.close()


def wait_until(reached: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> None:
    """Look again and again; AssertionError with `what` after `patience_s`."""
    deadline = time.monotonic() + patience_s
    while not reached():
        assert time.monotonic() < deadline, f"not within {patience_s:.0f} s: {what}"
        time.sleep(0.05)
