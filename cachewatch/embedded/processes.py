"""Child processes that end when this process ends, even by kill -9."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from cachewatch.embedded.privileges import AS_OURSELVES, Privileges

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
# Loaded before any fork: between fork and exec only plain calls are safe.
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
_LOG_LIMIT_BYTES = 20 * 1024 * 1024


def spawn(
    argv: Sequence[str],
    *,
    log: Path,
    env: Mapping[str, str],
    death_signal: signal.Signals,
    privileges: Privileges = AS_OURSELVES,
    pass_fds: Sequence[int] = (),
    cwd: Path | str = "/",
    stdout_to_pipe: bool = False,
) -> subprocess.Popen[bytes]:
    """Start a child in a session of its own; its output is appended to the log file.

    Call it from the main thread: the kernel sends `death_signal` when the *thread* that made the
    child ends. Own sessions keep a Ctrl-C of the terminal away, so that the stop has an order.
    """
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with log.open("ab") as log_file:
        return subprocess.Popen(
            [*privileges.prefix, *argv],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if stdout_to_pipe else log_file,
            stderr=log_file,
            env=dict(env),
            cwd=cwd,
            pass_fds=tuple(pass_fds),
            start_new_session=True,
            preexec_fn=_before_exec(death_signal),  # noqa: PLW1509  (main thread only, see above)
            user=privileges.user,
            group=privileges.group,
            extra_groups=None if privileges.user is None else [],
        )


def _before_exec(death_signal: signal.Signals) -> Callable[[], None]:
    parent = os.getpid()

    def prepare() -> None:
        # A shell's `&` leaves SIGINT ignored, and a child would inherit that.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        die_with_parent(death_signal, parent)

    return prepare


def die_with_parent(death_signal: signal.Signals, parent: int) -> None:
    """Have the kernel signal this process when its parent ends (Linux; elsewhere nothing)."""
    if _LIBC is None:
        return
    _LIBC.prctl(_PR_SET_PDEATHSIG, int(death_signal))
    if os.getppid() != parent:  # it ended before the call
        os._exit(1)


def stop(process: subprocess.Popen[bytes], steps: Sequence[tuple[signal.Signals, float]]) -> None:
    """Send each signal in turn, waiting its seconds for the end; then kill what is left."""
    for step_signal, seconds in steps:
        if has_ended(process):
            return
        process.send_signal(step_signal)
        if ends_within(process, seconds):
            return
    kill(process)


def ends_within(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait at most the given seconds for the end of the child; whether it came."""
    if process.returncode is None:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        _sweep(process)
    return True


def kill(process: subprocess.Popen[bytes]) -> None:
    """End the child and its own children at once."""
    if process.returncode is None:
        process.kill()
        process.wait()
        _sweep(process)


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the child is gone; the first time that it is, its own children are killed too."""
    if process.returncode is not None:
        return True
    if process.poll() is None:
        return False
    _sweep(process)
    return True


def _sweep(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the group of a child that has just been reaped."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def last_lines(log: Path, count: int = 8) -> str:
    """The end of a log file, indented, for an error message; empty where there is no file."""
    try:
        with log.open("rb") as log_file:
            log_file.seek(max(0, log.stat().st_size - 16384))
            lines = log_file.read().decode(errors="replace").splitlines()
    except OSError:
        return ""
    return "\n".join(f"    {line}" for line in lines[-count:])


def keep_log_small(log: Path, limit_bytes: int = _LOG_LIMIT_BYTES) -> None:
    """Move a log that outgrew the limit to `NAME.1` and go on with an empty one.

    Children append (O_APPEND), so emptying the file under them loses no later line.
    """
    try:
        if log.stat().st_size <= limit_bytes:
            return
        log.with_name(log.name + ".1").write_bytes(log.read_bytes())
        os.truncate(log, 0)
    except FileNotFoundError:
        return
