"""`cachewatch run`: the whole product in the foreground until Ctrl-C."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import NoReturn

from cachewatch.embedded.errors import EmbeddedError
from cachewatch.embedded.listening import listen
from cachewatch.embedded.local_secrets import ensure_secrets
from cachewatch.embedded.locks import FolderLock, holders
from cachewatch.embedded.processes import die_with_parent
from cachewatch.embedded.run_settings import RunSettings, read_settings
from cachewatch.embedded.supervisor import Supervisor
from cachewatch.environment import ConfigurationError, Environment

_CHILDREN_END_SECONDS = 5.0
_KILLED_SECONDS = 5.0
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequested(BaseException):
    """A stop signal came. Not an Exception, so that nothing on the way takes it for a failure."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the product; 0 after a stop signal, 2 where it could not start, 1 where it failed later."""
    parser = argparse.ArgumentParser(
        prog="cachewatch run",
        description="Runs the web server, the worker and, unless DATABASE_URL and REDIS_URL are"
        " set, a database and a broker of its own, until Ctrl-C.",
    )
    parser.add_argument(
        "--stop-with-parent", action="store_true", help="stop when the calling process ends (Linux)"
    )
    options = parser.parse_args(argv)
    if options.stop_with_parent:
        die_with_parent(signal.SIGTERM, os.getppid())
    try:
        _listen_for_stop_signals()
        settings = read_settings(Environment())
        with _the_only_run(settings) as children_lock:
            return _run(settings, children_lock)
    except (ConfigurationError, EmbeddedError) as error:
        return _fail(f"{error}", 2)
    except OSError as error:
        return _fail(f"{error.filename or 'the system'}: {error.strerror}", 2)
    except StopRequested:
        return 0


def _run(settings: RunSettings, children_lock: FolderLock) -> int:
    with listen(settings.address, settings.port) as listener:
        ensure_secrets(settings.local_folder)
        supervisor = Supervisor(settings, listener, children_lock, _say)
        started = False
        try:
            supervisor.start()
            started = True
            supervisor.watch()
        except EmbeddedError as error:
            return _fail(f"{error}", 1 if started else 2)
        except StopRequested:
            _say("stopping")
            return 0
        finally:
            for number in _STOP_SIGNALS:
                signal.signal(number, signal.SIG_IGN)
            supervisor.stop()


@contextlib.contextmanager
def _the_only_run(settings: RunSettings) -> Iterator[FolderLock]:
    """Hold the folder; yield the lock for the children to inherit.

    The first lock is ours alone: held, another run is alive. The second one ends with the last
    child: held while the first is free, an earlier run was killed and its children still end.
    """
    settings.local_folder.mkdir(parents=True, exist_ok=True)
    own = FolderLock(settings.local_folder / "run.lock")
    if not own.acquire():
        raise EmbeddedError(
            f"the product already runs from this folder ({own.read_note() or 'starting'});"
            " stop that one first"
        )
    try:
        children_lock = FolderLock(settings.local_folder / "children.lock")
        _end_left_overs(children_lock)
        own.write_note(f"process {os.getpid()}, port {settings.port}")
        yield children_lock
        children_lock.release()
    finally:
        own.release()


def _end_left_overs(lock: FolderLock) -> None:
    """Wait for the children of a killed run to end, then kill those that do not."""
    if lock.acquire(_CHILDREN_END_SECONDS):
        return
    left = holders(lock.path)
    kill_left_overs(left)
    if not lock.acquire(_KILLED_SECONDS):
        raise EmbeddedError(
            "processes of an earlier run are still there; end them, then start again"
            f" (process id: {', '.join(map(str, left)) or 'unknown'})"
        )


def kill_left_overs(pids: Sequence[int]) -> None:
    """Kill these processes; one that has ended meanwhile is passed over."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _listen_for_stop_signals() -> None:
    for number in _STOP_SIGNALS:
        # nohup leaves SIGHUP ignored, and means it; a shell's `&` leaves SIGINT ignored, and we do
        # want that one.
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _request_stop)


def _request_stop(_number: int, _frame: FrameType | None) -> NoReturn:
    for number in _STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)  # one is enough; the stop itself takes bounded time
    raise StopRequested


def _say(sentence: str) -> None:
    with contextlib.suppress(OSError):  # the terminal may be gone; the product goes on
        print(sentence, flush=True)


def _fail(sentence: str, status: int) -> int:
    print(f"cachewatch: {sentence}", file=sys.stderr, flush=True)
    return status
