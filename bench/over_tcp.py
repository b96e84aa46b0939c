"""The embedded servers on loopback ports, as a database and a broker on another machine would be."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.database import NO_LIMITS, SECRETS
from cachewatch.embedded.binaries import find_postgres, find_valkey
from cachewatch.embedded.children import worker
from cachewatch.embedded.postgres import Postgres
from cachewatch.embedded.services import DATABASE, create_database
from cachewatch.embedded.valkey import Valkey

ROOT = Path(__file__).resolve().parent.parent


class TcpPostgres(Postgres):
    """Answers on a loopback port."""

    port = 0

    def url(self, database: str) -> str:
        """The address over TCP."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def _options(self) -> list[str]:
        over_tcp = ["-c", "listen_addresses=127.0.0.1", "-c", f"port={self.port}"]
        return [*super()._options(), *over_tcp]


class TcpValkey(Valkey):
    """Answers on a loopback port too."""

    port = 0

    @property
    def tcp_url(self) -> str:
        """The address over TCP."""
        return f"redis://127.0.0.1:{self.port}/0"

    def _options(self) -> list[str]:
        return [*super()._options(), "--port", str(self.port), "--bind", "127.0.0.1"]


@dataclass(frozen=True)
class Shared:
    """The database and the broker of several groups."""

    folder: Path
    database_url: str
    redis_url: str

    def environment(self, group: str) -> dict[str, str]:
        """Of the processes of one group: a local folder of its own, everything else shared."""
        return (
            SECRETS
            | NO_LIMITS
            | {
                "CACHEWATCH_LOCAL_DIR": str(self.folder / group),
                "DATABASE_URL": self.database_url,
                "REDIS_URL": self.redis_url,
                "PGAPPNAME": group,
            }
        )


@contextmanager
def shared_servers() -> Iterator[Shared]:
    """Start both with an empty database; stop and delete everything at the end."""
    folder = Path(tempfile.mkdtemp(prefix="cachewatch-bench-"))
    folder.chmod(0o711)  # as root, Postgres runs as another user and must get in
    postgres = TcpPostgres(find_postgres(), folder, folder / "postgres.log")
    valkey = TcpValkey(find_valkey(), folder, folder / "valkey.log", durable=False)
    postgres.port, valkey.port = free_port(), free_port()
    try:
        postgres.start()
        valkey.start()
        create_database(postgres.url("postgres"), DATABASE)
        yield Shared(folder, postgres.url(DATABASE), valkey.tcp_url)
    finally:
        valkey.stop()
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def worker_groups(shared: Shared, count: int) -> Iterator[None]:
    """So many groups of one worker process each, without a beat: the caller puts tasks on the queue."""
    with ExitStack() as stack:
        for number in range(count):
            stack.enter_context(_worker(shared, f"group{number}"))
        yield


@contextmanager
def _worker(shared: Shared, group: str) -> Iterator[None]:
    argv = [one.replace("embedded@", f"{group}@") for one in worker(1, "WARNING")]
    with (shared.folder / f"{group}.log").open("ab") as log:
        process = subprocess.Popen(
            argv,
            cwd=ROOT,
            env=os.environ | shared.environment(group),
            stdout=log,
            stderr=log,
        )
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def manage(shared: Shared, *argv: str) -> None:
    """Run manage.py on the shared database."""
    subprocess.run(
        [sys.executable, "manage.py", *argv],
        cwd=ROOT,
        env=os.environ | shared.environment("caller"),
        check=True,
        stdout=subprocess.DEVNULL,
    )


def free_port() -> int:
    """A port that nothing listens on at the moment."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
