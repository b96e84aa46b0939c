"""The product's own processes: what each runs, and starting it again when it ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cachewatch.embedded.processes import ends_within, has_ended, kill, last_lines, spawn

_FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 30.0
_STEADY_SECONDS = 60.0  # a child that ran this long begins with the first pause again
_STOP_SECONDS = 8.0


@dataclass
class Child:
    """A process that is kept running. `death_signal` is what it gets when we are killed."""

    name: str
    argv: Sequence[str]
    env: Mapping[str, str]
    log: Path
    cwd: Path
    stop_signal: signal.Signals = signal.SIGTERM
    death_signal: signal.Signals = signal.SIGTERM
    pass_fds: Sequence[int] = ()
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _started_at: float = field(default=0.0, init=False)
    _pause_seconds: float = field(default=_FIRST_PAUSE_SECONDS, init=False)
    _due_at: float | None = field(default=None, init=False)

    def start(self) -> None:
        """Start the process."""
        self._started_at = time.monotonic()
        self._due_at = None
        self.process = spawn(
            self.argv,
            log=self.log,
            env=self.env,
            death_signal=self.death_signal,
            pass_fds=self.pass_fds,
            cwd=self.cwd,
        )

    def ended(self) -> bool:
        """Whether the process was started and is gone."""
        return self.process is not None and has_ended(self.process)

    def keep_running(self) -> str | None:
        """Start the process again once its pause is over; a sentence when something happened.

        Pauses double from 1 s to 30 s while the process ends soon after each start.
        """
        if self.process is None or not has_ended(self.process):
            return None
        now = time.monotonic()
        if self._due_at is None:
            if now - self._started_at > _STEADY_SECONDS:
                self._pause_seconds = _FIRST_PAUSE_SECONDS
            first = self._pause_seconds == _FIRST_PAUSE_SECONDS
            sentence = f"{self.name} {'' if first else 'again '}ended ({self._how()})"
            sentence += f" and starts again in {self._pause_seconds:.0f} s"
            sentence += f"; the end of {self.log}:\n{last_lines(self.log)}" if first else ""
            self._due_at = now + self._pause_seconds
            self._pause_seconds = min(self._pause_seconds * 2, _LONGEST_PAUSE_SECONDS)
            return sentence
        if now >= self._due_at:
            self.start()
            return f"{self.name} started again"
        return None

    def describe(self) -> str:
        """How the process ended, with the end of its log."""
        return f"{self.name} ended ({self._how()}); the end of {self.log}:\n{last_lines(self.log)}"

    def _how(self) -> str:
        code = self.process.returncode if self.process else None
        return signal.Signals(-code).name if code is not None and code < 0 else f"status {code}"

    def ask_to_stop(self) -> None:
        """Send the stop signal and return at once, so that several stop at the same time."""
        if self.process and not has_ended(self.process):
            self.process.send_signal(self.stop_signal)

    def wait_for_end(self) -> None:
        """Wait for the end that was asked for, then kill. Safe to call at any time."""
        if self.process:
            if not ends_within(self.process, _STOP_SECONDS):
                kill(self.process)
            self.process = None


def web(listening_fd: int, threads: int) -> list[str]:
    """The web server on a socket that is bound already.

    gunicorn's threads suit the product: sync Django, short requests, and it takes a bound socket,
    so the port stays ours while the server restarts.
    """
    return [
        sys.executable, "-m", "gunicorn", "cachewatch.wsgi:application",
        "--bind", f"fd://{listening_fd}",
        "--worker-class", "gthread", "--workers", "2", "--threads", str(threads),
        "--timeout", "60", "--graceful-timeout", "4", "--keep-alive", "5",
        # A filter may name many projects and models.
        "--limit-request-line", "8190",
        "--no-control-socket", "--log-level", "warning",
    ]  # fmt: skip


def worker(concurrency: int, log_level: str) -> list[str]:
    """The Celery worker; one process runs one task at a time."""
    return [
        sys.executable, "-m", "cachewatch.embedded.celery_worker", "--app", "cachewatch", "worker",
        "--concurrency", str(concurrency), "--loglevel", log_level,
        "--hostname", "embedded@%h", "--without-gossip", "--without-mingle",
    ]  # fmt: skip


def beat(local_folder: Path, log_level: str) -> list[str]:
    """The process that puts due tasks on the queue."""
    return [
        sys.executable, "-m", "celery", "--app", "cachewatch", "beat",
        "--schedule", str(local_folder / "beat-schedule"), "--pidfile", "",
        "--loglevel", log_level,
    ]  # fmt: skip


def simulator(local_folder: Path, port: int) -> list[str]:
    """The demo's usage API; it says "listening on http://..." once it answers. Port 0: any."""
    return [
        sys.executable, "-m", "cachewatch.cli", "simulate",
        "--port", str(port), "--state", str(local_folder / "simulator.json"),
    ]  # fmt: skip
