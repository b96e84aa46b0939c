"""One running product, one fault after the other: the short form of `make faults`, and the services.

Each test reads, classifies and marks a source of its own while something breaks, and compares all
that is stored of it with a source that nothing disturbed.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice

import httpx
import psycopg
import pytest
import redis

from tests.faults import targets
from tests.faults.database_faults import no_connection_left, read_only
from tests.faults.disk import filled
from tests.faults.rounds import ACTIVITIES, Round, Stand, rounds, stand
from tests.product import ROOT

pytestmark = [
    pytest.mark.stack,
    pytest.mark.timeout(900),
    pytest.mark.skipif(sys.platform != "linux", reason="finds the product's processes in /proc"),
]
# One for each activity; the long form has every process in each.
SHORT = (
    Round(0, "worker", "backfill", 3),
    Round(1, "postgres", "classification", 5),
    Round(2, "web", "import", 8),
    Round(3, "valkey", "markers", 21),
)
BROKEN_S = 4.0
_RUNS = """
    SELECT count(*), count(DISTINCT start_hour) FROM ingest_ingestrun
    WHERE kind = 'backfill' AND source_id = (SELECT id FROM ingest_source WHERE slug = %s)
"""


@pytest.fixture(scope="module")
def running() -> Iterator[Stand]:
    with stand() as made:
        yield made


@pytest.mark.parametrize("one", SHORT, ids=lambda one: f"{one.target} in {one.activity}")
def test_after_a_kill_all_that_is_stored_equals_the_undisturbed_source(
    running: Stand, one: Round
) -> None:
    running.play(one)


def test_what_valkey_held_is_lost_and_the_next_beat_finds_the_work_again(running: Stand) -> None:
    def lose(activity: str) -> None:
        if activity == "backfill":
            with redis.Redis.from_url(running.redis_url) as broker:
                broker.flushall()
            targets.kill(running.product, "valkey", random.Random(1))

    slug = running.all_activities("lost queue", lose, pages=2, with_ticks=False)
    running.wait_until_equal(slug)


def test_while_postgres_is_read_only_pages_are_served_and_later_all_is_read(running: Stand) -> None:
    def forbid(activity: str) -> None:
        if activity == "backfill":
            marker = {"source": running.undisturbed, "kind": "deploy", "external_id": "refused"}
            with read_only(running.database):
                time.sleep(BROKEN_S)
                assert running.doors.ask("GET", "/series", [200]).json()["items"]
                refused = running.doors.ask_once("POST", "/markers", json=marker)
                assert refused.status_code == 503, refused.text

    slug = running.all_activities("read only", forbid, pages=2)
    running.wait_until_equal(slug)


def test_while_no_connection_is_left_the_product_says_so_and_later_all_is_read(
    running: Stand,
) -> None:
    seen: set[int] = set()

    def exhaust(activity: str) -> None:
        if activity == "backfill":
            with no_connection_left(running.database):
                end = time.monotonic() + BROKEN_S
                while time.monotonic() < end:
                    seen.add(httpx.get(f"{running.address}/healthz", timeout=30).status_code)

    slug = running.all_activities("no connection", exhaust, pages=2)
    running.wait_until_equal(slug)
    assert seen <= {200, 503}
    assert 503 in seen


def test_a_full_disk_stops_the_work_and_a_freed_one_lets_it_go_on(running: Stand) -> None:
    if not running.disk_can_be_filled:
        pytest.skip("a disk of its own can be mounted only by root, outside of most containers")

    def fill(activity: str) -> None:
        if activity == "backfill":
            with filled(running.product.local_folder.parent):
                running.beat.send_all()
                time.sleep(2 * BROKEN_S)

    slug = running.all_activities("full disk", fill, pages=2)
    running.wait_until_equal(slug)


def test_a_valkey_that_refuses_to_write_ends_the_worker_and_a_new_one_goes_on(
    running: Stand,
) -> None:
    """As one does on a full disk; here for the replicas that it was told to have, and has not."""

    def refuse(activity: str) -> None:
        if activity == "backfill":
            worker = running.product.pid_of("celery", "worker")
            with redis.Redis.from_url(running.redis_url) as broker:
                broker.config_set("min-replicas-to-write", 1)
                time.sleep(BROKEN_S)
                broker.config_set("min-replicas-to-write", 0)
            targets.wait_for_return(running.product, "worker", worker)

    slug = running.all_activities("refused writes", refuse, pages=2)
    running.wait_until_equal(slug)


def test_two_beats_ask_twice_and_each_week_is_read_once(running: Stand) -> None:
    folder = running.product.local_folder
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    second = subprocess.Popen(
        [
            *(sys.executable, "-m", "celery", "--app", "cachewatch", "beat"),
            *("--pidfile", "", "--schedule", str(folder / "second-beat-schedule")),
        ],
        cwd=ROOT,
        env=kept
        | {"CACHEWATCH_LOCAL_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "cachewatch.settings"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        slug = running.all_activities("two beats", lambda _activity: running.beat.send_all())
        running.wait_until_equal(slug)
        assert second.poll() is None
    finally:
        second.kill()
        second.wait()
    with psycopg.connect(running.database) as database:
        [(read, weeks)] = database.execute(_RUNS.encode(), [slug]).fetchall()
    assert read == weeks


def test_tasks_of_another_version_are_refused_and_the_worker_goes_on(running: Stand) -> None:
    worker = running.product.pid_of("celery", "worker")

    def send(activity: str) -> None:
        if activity == "backfill":
            running.beat.send("ingest.of_another_version", [1], {})
            running.beat.send("ingest.refresh_source", [1], {"argument_of_another_version": True})
            running.beat.send("ingest.refresh_source", [], {})
            running.beat.send("ingest.backfill_week", ["not a number"], {})
            with redis.Redis.from_url(running.redis_url) as broker:
                broker.lpush("cachewatch", b'{"body": "????", "no": "properties"}')

    slug = running.all_activities("another version", send)
    running.wait_until_equal(slug)
    assert running.product.pid_of("celery", "worker") == worker


def test_the_seed_decides_every_round_and_every_pair_comes_before_one_comes_twice() -> None:
    pairs = len(targets.TARGETS) * len(ACTIVITIES)
    first = list(islice(rounds(1), 2 * pairs))
    assert first == list(islice(rounds(1), 2 * pairs))
    assert first != list(islice(rounds(2), 2 * pairs))
    for turn in (first[:pairs], first[pairs:]):
        assert len({(one.target, one.activity) for one in turn}) == pairs
