"""The processes of a running product that are killed, each alone."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.faults.doors import wait_until
from tests.product import Product

_WORKER = ("celery", "worker")


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def commands(product: Product) -> list[str]:
    """What the product's processes were started as."""
    return [f"{pid} {_command(pid)[:120]}" for pid in product.children()]


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def _main(*words: str) -> Callable[[Product], list[int]]:
    """The oldest process whose command holds the words: the one that its supervisor watches."""

    def found(product: Product) -> list[int]:
        pid = product.pid_of(*words)
        return [pid] if pid else []

    return found


def _pool(product: Product) -> list[int]:
    """The processes in which the worker does its tasks."""
    worker = product.pid_of(*_WORKER)
    return [pid for pid in product.children() if worker and _parent(pid) == worker]


def _backends(product: Product) -> list[int]:
    """Postgres' processes for single connections: the death of one restarts them all."""
    begin = "postgres: postgres cachewatch "
    return [pid for pid in product.children() if _command(pid).startswith(begin)]


TARGETS: dict[str, Callable[[Product], list[int]]] = {
    "web": _main("gunicorn"),
    "worker": _main(*_WORKER),
    "beat": _main("celery", "beat"),
    "valkey": _main("valkey-server"),
    "postgres": _main("postgres", "-D"),
    "pool process": _pool,
    "database backend": _backends,
}


def kill(product: Product, target: str, chosen: random.Random) -> int:
    """kill -9 of one process of that name, once there is one; its id."""
    found: list[int] = []

    def look() -> bool:
        found[:] = TARGETS[target](product)
        return bool(found)

    wait_until(look, f"a process of {target}")
    pid = chosen.choice(sorted(found))
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    return pid


def wait_for_return(product: Product, target: str, killed: int) -> None:
    """Until another process of that name is there, and the supervisor was not harmed."""
    find = TARGETS[target]
    wait_until(lambda: bool(set(find(product)) - {killed}), f"{target} comes back")
    assert product.process.poll() is None, product.said
