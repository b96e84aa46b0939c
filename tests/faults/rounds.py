"""Rounds of kill -9: a source is read, classified, marked and given a log while a process dies.

Each round has a source of its own, with the very same usage as one that nothing disturbed. In one
of its four activities, at a seeded moment, one process is killed. The round is over when all that
is stored of the two sources is equal, row by row.
"""

from __future__ import annotations

import json
import random
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from ingest.simulator.access import Access
from ingest.simulator.server import Server
from ingest.simulator.world import World
from tests.faults import targets
from tests.faults.disk import small_disk
from tests.faults.doors import PATIENCE_S, Beat, Doors
from tests.faults.logs import log_lines
from tests.faults.stored import differences, stored
from tests.ingest.serving import CountedApi
from tests.product import Product

SERIES = 3
TRAFFIC_DAYS, BACKFILL_DAYS = 21, 14
MARKERS = 5
REPAIRS = 2  # of them; each is measured in every series of its project
BETWEEN_TICKS_S = 1.5
# From the beginning of each activity to the kill: about as long as the activity takes.
LONGEST_WAIT_S = {"backfill": 0.3, "classification": 1.0, "markers": 0.4, "import": 0.8}
MOST_PAGES = 6  # of the first read and three weeks, before the kill in a backfill
ACTIVITIES = tuple(LONGEST_WAIT_S)
PROJECT = "proj_load00000"  # of all load series
SECONDS_PER_HOUR = 3_600
SPARE_S = 240.0  # of an hour, for one source to be read, disturbed and compared


class Round(NamedTuple):
    """What is killed, in what, and the seed of the moment."""

    number: int
    target: str
    activity: str
    seed: int


def rounds(seed: int) -> Iterator[Round]:
    """Every target in every activity once, in a seeded order; then again, without end."""
    order, number = random.Random(seed), 0
    while True:
        pairs = [(target, activity) for target in targets.TARGETS for activity in ACTIVITIES]
        order.shuffle(pairs)
        for target, activity in pairs:
            yield Round(number, target, activity, order.randrange(2**32))
            number += 1


class Stand:
    """A running product before a simulated organization, and its undisturbed source."""

    def __init__(self, product: Product, api: CountedApi, base_url: str) -> None:
        self.product, self.api, self._base_url = product, api, base_url
        self.disk_can_be_filled = False
        self.address = product.wait_until_open()
        self.doors = Doors(self.address, product.sign_in_link)
        threading.Thread(target=self._read_all_it_says, daemon=True).start()
        notice = json.loads((product.local_folder / "services.json").read_text())
        self.redis_url = str(notice["redis_url"])
        self.database, self.beat = product.database(), Beat(self.redis_url)
        self._ship_s = (int(time.time()) // 86_400 - 6) * 86_400 + 9 * 3_600
        self._log = log_lines()
        self.undisturbed, self._undisturbed_hour = "", -1

    def begin(self) -> None:
        """Do everything once with a source that nothing disturbs, in an hour that has time left.

        The daily window of a series is the first one after its service day has ended: two sources
        are equal only where both are first judged on the same hours.
        """
        if _left_s() < SPARE_S:
            time.sleep(_left_s())
        self._undisturbed_hour = _hour()
        name = f"undisturbed {self._undisturbed_hour}"
        self.undisturbed = self._all_activities(name, lambda _activity: None, MOST_PAGES)
        self._wait_for_verdicts(self.undisturbed)

    def _begin_again_where_the_hour_turns(self) -> None:
        if _hour() != self._undisturbed_hour or _left_s() < SPARE_S:
            self.doors.remove_source(self.undisturbed)
            self.begin()

    def close(self) -> None:
        self.doors.close()
        self.beat.close()

    def play(self, one: Round) -> float:
        """Play a round to its end; seconds. Raises AssertionError that tells the difference."""
        began, chosen = time.monotonic(), random.Random(one.seed)
        killed: list[int] = []

        def disturb(activity: str) -> None:
            if activity == one.activity:
                time.sleep(chosen.uniform(0, LONGEST_WAIT_S[activity]))
                killed.append(targets.kill(self.product, one.target, chosen))

        try:
            pages = chosen.randint(1, MOST_PAGES)
            slug = self.all_activities(f"round {one.number}", disturb, pages)
            targets.wait_for_return(self.product, one.target, killed[0])
            self.wait_until_equal(slug)
            self.doors.remove_source(slug)
        except AssertionError as difference:
            raise AssertionError("\n".join([str(difference), *self._logs()])) from difference
        return time.monotonic() - began

    def wait_until_equal(self, slug: str) -> None:
        """Until the source holds what the undisturbed one holds; what beat sends is sent too."""
        deadline, next_tick = time.monotonic() + PATIENCE_S, 0.0
        while told := self._differences(slug):
            assert time.monotonic() < deadline, "\n".join(told)
            if time.monotonic() > next_tick:
                next_tick = time.monotonic() + BETWEEN_TICKS_S
                self.beat.send_all()
            time.sleep(0.2)

    def _differences(self, slug: str) -> list[str]:
        try:
            return differences(*stored(self.database, self.undisturbed, slug))
        except psycopg.OperationalError as error:
            return [f"the database does not answer: {error}"]

    def all_activities(
        self,
        name: str,
        disturb: Callable[[str], None],
        pages: int = MOST_PAGES,
        *,
        with_ticks: bool = True,
    ) -> str:
        """Add a source and do everything with it; `disturb` is called amid each activity.

        `with_ticks`: until it is read, send what beat sends, and not wait for its minute.
        """
        self._begin_again_where_the_hour_turns()
        return self._all_activities(name, disturb, pages, with_ticks=with_ticks)

    def _all_activities(
        self,
        name: str,
        disturb: Callable[[str], None],
        pages: int,
        *,
        with_ticks: bool = True,
    ) -> str:
        wanted = self.api.calls + pages
        key = f"sk-admin-{name.replace(' ', '-')}"
        slug = self.doors.add_source(name, key, self._base_url, BACKFILL_DAYS)
        deadline = time.monotonic() + 5.0  # a page that was asked for before may be the last one
        while self.api.calls < wanted and time.monotonic() < deadline:
            time.sleep(0.005)
        disturb("backfill")
        self._wait_until_read(slug, with_ticks)
        if with_ticks:
            self.beat.send_all()
        disturb("classification")
        self._beside(lambda: self._mark(slug), lambda: disturb("markers"))
        self._beside(lambda: self.doors.import_log(slug, self._log), lambda: disturb("import"))
        return slug

    def _mark(self, slug: str) -> None:
        for number in range(MARKERS):
            self.doors.mark(slug, self._marker(number))

    def _marker(self, number: int) -> dict[str, Any]:
        """An incident of the whole source, deploys, and repairs of a project."""
        marker: dict[str, Any] = {
            "kind": "deploy" if number else "incident",
            "at": self._ship_s + 3_600 * number,
            "external_id": f"deploy-{number}",
            "note": f"number {number}",
        }
        if number >= MARKERS - REPAIRS:
            particulars = {"key": "rag-{tenant}", "shards": number}
            marker |= {"kind": "key-shipped", "project_id": PROJECT, "particulars": particulars}
        return marker

    def _wait_until_read(self, slug: str, with_ticks: bool) -> None:
        """Until every week of the source is read; after a kill only a beat may find it."""
        deadline, next_tick = time.monotonic() + PATIENCE_S, time.monotonic() + BETWEEN_TICKS_S
        while not self._is_read(slug):
            assert time.monotonic() < deadline, f"{slug} is not read"
            if with_ticks and time.monotonic() > next_tick:
                next_tick = time.monotonic() + BETWEEN_TICKS_S
                self.beat.send_all()
            time.sleep(0.05)

    def _is_read(self, slug: str) -> bool:
        try:
            [found] = stored(self.database, slug)
        except psycopg.OperationalError:
            return False
        states = {row[1] for row in found["weeks"]}
        return states == {"fetched"} and found["running"] == [(0,)]

    def _wait_for_verdicts(self, slug: str) -> None:
        """Until two looks in a row, ticks between them, show the same verdicts and readouts."""
        before: dict[str, Any] = {}
        deadline = time.monotonic() + PATIENCE_S
        while True:
            self.beat.send_all()
            time.sleep(2 * BETWEEN_TICKS_S)
            [found] = stored(self.database, slug)
            measured = all(row[-1] is not None for row in found["readouts"])
            read = [row[2] for row in found["imports"]] == ["done"]
            if found == before and found["verdicts"] and measured and read:
                break
            assert time.monotonic() < deadline, "the undisturbed source did not come to rest"
            before = found
        assert len(found["markers"]) >= MARKERS
        assert found["counted"] == [(True,)]

    @staticmethod
    def _beside(work: Callable[[], None], disturb: Callable[[], None]) -> None:
        failed: list[BaseException] = []

        def run() -> None:
            try:
                work()
            except BaseException as error:  # noqa: BLE001 -- raised again below
                failed.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        disturb()
        thread.join()
        if failed:
            raise failed[0]

    def _read_all_it_says(self) -> None:
        """A pipe that nobody reads fills up, and would hold the supervisor."""
        assert self.product.process.stdout is not None
        with suppress(ValueError, OSError):
            for line in self.product.process.stdout:
                self.product.said += line

    def _logs(self) -> list[str]:
        """The end of what each process said, for whoever looks into a round that failed."""
        names = ("postgres", "valkey", "web", "worker", "beat")
        logs = [f"== {name}\n{self.product.log(name)[-3_000:]}" for name in names]
        running = ", ".join(targets.commands(self.product))
        return [f"== {self.product.said[-3_000:]}", *logs, f"== running: {running}"]


def _hour() -> int:
    return int(time.time()) // SECONDS_PER_HOUR


def _left_s() -> float:
    return SECONDS_PER_HOUR - time.time() % SECONDS_PER_HOUR


@contextmanager
def stand(**variables: str) -> Iterator[Stand]:
    """A product on a folder of its own, before an organization that any key opens."""
    world = World((), 7, int(time.time()) // 3600, TRAFFIC_DAYS, SERIES)
    api = CountedApi(world, Access(lenient=True))
    server = Server("127.0.0.1", 0, api)
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    serving.start()
    folder = Path(tempfile.mkdtemp(prefix="cw-faults-"))
    folder.chmod(0o755)  # as root, Postgres runs as another user and must get in
    try:
        with small_disk(folder) as disk_can_be_filled:
            product = Product(folder / "local", CACHEWATCH_WORKER_CONCURRENCY="2", **variables)
            try:
                made = Stand(product, api, f"{server.url}/v1")
                made.disk_can_be_filled = disk_can_be_filled
                with closing(made):
                    made.begin()
                    yield made
            finally:
                product.stop()
    finally:
        server.shutdown()
        serving.join()
        server.server_close()
        shutil.rmtree(folder, ignore_errors=True)
