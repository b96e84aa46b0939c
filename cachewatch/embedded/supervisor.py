"""Runs the whole product in the foreground: services, web, worker, beat and the demo's simulator."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

from cachewatch.embedded import children
from cachewatch.embedded.children import Child
from cachewatch.embedded.errors import EmbeddedError
from cachewatch.embedded.listening import health
from cachewatch.embedded.locks import FolderLock
from cachewatch.embedded.processes import keep_log_small, last_lines, spawn
from cachewatch.embedded.run_settings import RunSettings
from cachewatch.embedded.services import Addresses, Services

_POLL_SECONDS = 0.2
_READY_SECONDS = 120.0
_REFUSED_SECONDS = 10.0  # it answers, and says that it cannot serve pages
_SIMULATOR_SECONDS = 60.0
_LOG_CHECK_SECONDS = 60.0
_SIMULATOR = "simulator"


class Supervisor:
    """Starts everything in order, keeps it running, stops it in the reverse order.

    `say` gets one sentence at a time for the person at the terminal. The children inherit `lock`,
    so that the next start can tell whether any of them is still alive.
    """

    def __init__(
        self,
        settings: RunSettings,
        listener: socket.socket,
        lock: FolderLock,
        say: Callable[[str], None],
    ) -> None:
        self._settings = settings
        self._listener = listener
        self._port: int = listener.getsockname()[1]
        self._public_url = settings.public_url or f"http://127.0.0.1:{self._port}"
        self._lock = lock
        self._say = say
        self._services = Services(settings.local_folder, settings.environment, self._public_url)
        self._children: list[Child] = []
        self._env: dict[str, str] = {}

    def start(self) -> None:
        """Start everything; returns when pages can be served.

        Raises EmbeddedError, with the end of the log, where a part does not come up.
        """
        began = time.monotonic()
        self._env = self._environment_of_children(self._services.start())
        self._say(f"database and broker are up ({time.monotonic() - began:.1f} s)")
        prepared = self._prepare_database()
        self._start_product()
        self._wait_until_served()
        self._say(f"ready ({time.monotonic() - began:.1f} s); logs are in {self._settings.logs}")
        self._say(f"Open {prepared['sign_in_url'] or self._public_url}")

    def _environment_of_children(self, addresses: Addresses) -> dict[str, str]:
        ours = {
            "DATABASE_URL": addresses.database_url,
            "REDIS_URL": addresses.redis_url,
            "PORT": str(self._port),
            "DJANGO_SETTINGS_MODULE": "cachewatch.settings",
            "PYTHONUNBUFFERED": "1",
            "TMPDIR": str(self._empty_temporary_folder()),
        }
        # A value that was read from a file is handed on as it is. The other one is set in some
        # images; without byte code every start takes seconds longer.
        without = {f"{name}_FILE" for name in ours} | {"PYTHONDONTWRITEBYTECODE"}
        inherited = {name: value for name, value in os.environ.items() if name not in without}
        return inherited | ours

    def _empty_temporary_folder(self) -> Path:
        """Where the children put temporary files; what killed ones left there is removed."""
        folder = self._settings.local_folder / "tmp"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder

    def watch(self) -> NoReturn:
        """Keep everything running; ends only by an exception, such as the one of a stop signal."""
        next_log_check = time.monotonic()
        while True:
            time.sleep(_POLL_SECONDS)
            for name in self._services.restart_ended():
                self._say(f"{name} had ended and was started again")
            for child in self._children:
                sentence = child.keep_running()
                if sentence:
                    self._say(sentence)
            if time.monotonic() > next_log_check:
                next_log_check += _LOG_CHECK_SECONDS
                for log in self._settings.logs.glob("*.log"):
                    keep_log_small(log)

    def stop(self) -> None:
        """Stop the product's processes together, then what they read: demo, broker, database."""
        simulator = [child for child in self._children if child.name == _SIMULATOR]
        product = [child for child in self._children if child.name != _SIMULATOR]
        for group in (product, simulator):
            for child in group:
                child.ask_to_stop()
            for child in group:
                child.wait_for_end()
        self._services.stop()

    def _start_product(self) -> None:
        settings = self._settings
        listening_fd = self._listener.fileno()
        self._start("web", children.web(listening_fd, settings.web_threads), fds=[listening_fd])
        self._start(
            "worker",
            children.worker(settings.worker_concurrency, settings.log_level),
            stop_signal=signal.SIGQUIT,  # Celery's soft stop: a few seconds for running tasks
            death_signal=signal.SIGKILL,  # without us there is no database to finish them in
        )
        self._start("beat", children.beat(settings.local_folder, settings.log_level))

    def _start(
        self,
        name: str,
        argv: list[str],
        *,
        fds: list[int] | None = None,
        stop_signal: signal.Signals = signal.SIGTERM,
        death_signal: signal.Signals = signal.SIGTERM,
    ) -> Child:
        child = Child(
            name,
            argv,
            self._env,
            log=self._settings.logs / f"{name}.log",
            cwd=self._settings.project_folder,
            stop_signal=stop_signal,
            death_signal=death_signal,
            pass_fds=[self._lock.fd, *(fds or [])],
        )
        self._children.append(child)
        child.start()
        return child

    def _start_simulator(self) -> str:
        """Start the demo's usage API and wait for it; its base URL."""
        log = self._settings.logs / "simulator.log"
        before = log.stat().st_size if log.exists() else 0
        child = self._start(_SIMULATOR, children.simulator(self._settings.local_folder, port=0))
        deadline = time.monotonic() + _SIMULATOR_SECONDS
        while True:
            said = log.read_bytes()[before:].decode(errors="replace")
            found = re.search(r"listening on (http://\S+:(\d+))\n", said)
            if found:
                # Started again, it must come back where the demo source looks for it.
                child.argv = children.simulator(self._settings.local_folder, int(found.group(2)))
                return f"{found.group(1)}/v1"
            if child.ended() or time.monotonic() > deadline:
                raise EmbeddedError(f"the simulator of the demo did not start: {child.describe()}")
            time.sleep(_POLL_SECONDS / 4)

    def _prepare_database(self) -> dict[str, Any]:
        """Start the demo's usage API where one may be wanted, and run first_start to its end.

        Whether the demo is wanted stands in the database; where it is not, its process goes again.
        """
        simulator = self._start_simulator() if self._settings.demo_possible else None
        prepared = self._first_start(simulator)
        if simulator and not prepared["demo_wanted"]:
            child = self._children.pop()
            child.ask_to_stop()
            child.wait_for_end()
        return prepared

    def _first_start(self, demo_url: str | None) -> dict[str, Any]:
        log = self._settings.logs / "first-start.log"
        process = spawn(
            [sys.executable, "-m", "cachewatch.embedded.first_start"]
            + ([] if demo_url is None else ["--demo-url", demo_url]),
            log=log,
            env=self._env,
            death_signal=signal.SIGTERM,
            pass_fds=[self._lock.fd],
            cwd=self._settings.project_folder,
            stdout_to_pipe=True,
        )
        printed, _nothing = process.communicate()
        if process.returncode != 0:
            raise EmbeddedError(
                f"the database could not be prepared; the end of {log}:\n{last_lines(log)}"
            )
        answer: dict[str, Any] = json.loads(printed.splitlines()[-1])
        return answer

    def _wait_until_served(self) -> None:
        began = time.monotonic()
        host = urlsplit(self._public_url).hostname or "127.0.0.1"
        while True:
            served, said = health(self._settings.address, self._port, host)
            if served:
                return
            for child in self._children:
                if child.ended():
                    raise EmbeddedError(child.describe())
            answered = said.startswith("status")
            patience = _REFUSED_SECONDS if answered else _READY_SECONDS
            if time.monotonic() - began > patience:
                log = self._settings.logs / "web.log"
                raise EmbeddedError(f"the web server cannot serve pages ({said}); see {log}")
            time.sleep(_POLL_SECONDS / 4)
