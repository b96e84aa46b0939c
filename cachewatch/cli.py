"""The command `cachewatch`: finds the sub-command and hands over. Imports late, so that
`diagnose` needs no Django, no database and no environment.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NamedTuple, NoReturn

if TYPE_CHECKING:
    from django.core.management import BaseCommand

COULD_NOT_RUN = 2
INTERRUPTED = 130  # what a shell says of a command that Ctrl-C ended


class Command(NamedTuple):
    """A sub-command: its arguments in short, what it does, and the function that runs it."""

    arguments: str
    does: str
    target: str  # "module:function" taking argv, or a Django management command's name


COMMANDS: dict[str, Command] = {
    "run": Command("", "the whole product, until Ctrl-C", "cachewatch.embedded.run:main"),
    "diagnose": Command(
        "[PATH...]",
        "verdicts from usage pages or the usage API; no server, no database",
        "cachewatch.diagnose.command:main",
    ),
    "readout": Command(
        "PATH... --shipped-at T",
        "did a repair work: before against after, from usage pages; no server, no database",
        "cachewatch.diagnose.readout.command:main",
    ),
    "evidence": Command(
        "PATH...",
        "why single requests miss, from logs of requests; no server, no database",
        "cachewatch.diagnose.evidence.command:main",
    ),
    "diff": Command(
        "A B", "where two request bodies part", "cachewatch.diagnose.diff.command:main"
    ),
    "key-plan": Command(
        "PATH...",
        "which prompt_cache_key to send, if any",
        "cachewatch.diagnose.key_plan.command:main",
    ),
    "probe": Command(
        "--model M",
        "try a model's prompt cache, with your key",
        "cachewatch.diagnose.probe.command:main",
    ),
    "simulate": Command(
        "", "a usage API to try things on, with a simulated fleet", "ingest.simulator.command:main"
    ),
    "signin-link": Command("EMAIL", "a one-time sign-in link", "signin_link"),
    "rotate-keys": Command("", "stored keys under the newest field key", "rotate_keys"),
    "backfill": Command("", "read a source's history, newest week first", "backfill"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one sub-command and return its exit status; 2 where there is no such command."""
    try:
        with _quiet_ctrl_c():
            _fill_closed_streams()
            run = _found(list(sys.argv[1:] if argv is None else argv))
        return run()
    except KeyboardInterrupt:
        return INTERRUPTED


def _found(arguments: list[str]) -> Callable[[], int]:
    """What the arguments ask for, with its modules loaded, to be called."""
    name = arguments[0] if arguments else "--help"
    if name in ("-h", "--help", "help"):
        return partial(_say, usage(), 0 if arguments else COULD_NOT_RUN)
    if name == "--version":
        from cachewatch import __version__

        return partial(_say, f"cachewatch {__version__}", 0)
    target = COMMANDS[name].target if name in COMMANDS else name
    if ":" in target:
        module, function = target.split(":")
        return partial(getattr(importlib.import_module(module), function), arguments[1:])
    return _management(name, target, arguments[1:])


def _say(text: str, status: int) -> int:
    print(text)
    return status


def usage() -> str:
    """The list of commands."""
    width = max(len(f"{name} {command.arguments}") for name, command in COMMANDS.items())
    lines = [
        f"  {f'{name} {command.arguments}'.ljust(width)}  {command.does}"
        for name, command in COMMANDS.items()
    ]
    return "\n".join(
        [
            "usage: cachewatch COMMAND [OPTIONS]",
            "",
            *lines,
            "",
            "cachewatch COMMAND --help says more. Django's management commands work too.",
        ]
    )


def _fill_closed_streams() -> None:
    """Put nothing in the place of a standard stream that the caller closed.

    Else the next file or connection takes its number and is written to, and what is printed to a
    standard error of None goes to standard output.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)


@contextlib.contextmanager
def _quiet_ctrl_c() -> Iterator[None]:
    """While a command loads, Ctrl-C ends the process at once: there is nothing to stop."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # ignored, or somebody else's
        yield
        return
    signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    os._exit(INTERRUPTED)


def _management(name: str, target: str, arguments: list[str]) -> Callable[[], int]:
    """A management command, called as the user called it: `signin-link`, not `signin_link`."""
    if sys.stdout is None:
        return partial(_fail, f"standard output is closed, and {name} writes to it")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cachewatch.settings")
    import django
    from django.core.management import ManagementUtility, get_commands

    from cachewatch.environment import ConfigurationError

    try:
        django.setup()
        known = target in get_commands()
    except ConfigurationError as error:
        if name in COMMANDS and not {"-h", "--help"}.isdisjoint(arguments):
            return partial(_helped, target, ["cachewatch", name, *arguments])
        unknown = f"{name!r} is no command of cachewatch, or one that needs a setting: "
        return partial(_fail, f"{'' if name in COMMANDS else unknown}{error}")
    if not known:
        return partial(_fail, f"there is no command {name!r}; cachewatch --help lists them")
    command = ManagementUtility(["cachewatch", target]).fetch_command(target)
    return partial(_answered, command, ["cachewatch", name, *arguments])


def _helped(target: str, argv: list[str]) -> int:
    """Print the help of a management command where no product was started: any settings do."""
    import django
    from django.core.management import ManagementUtility

    from cachewatch.embedded.local_secrets import ensure_secrets

    nowhere = {
        "DATABASE_URL": "postgresql://nobody@localhost/none",
        "REDIS_URL": "redis://localhost",
    }
    with tempfile.TemporaryDirectory() as folder:
        ensure_secrets(Path(folder))
        os.environ.update(nowhere, CACHEWATCH_LOCAL_DIR=folder)
        django.setup()
    ManagementUtility(["cachewatch", target]).fetch_command(target).run_from_argv(argv)
    return 0


def _answered(command: BaseCommand, argv: list[str]) -> int:
    """Run a management command; one line where its database does not answer.

    A CommandError of Django is status 1; a command of COMMANDS that could not run is 2, as all are.
    """
    from django.db import InterfaceError, OperationalError

    try:
        command.run_from_argv(argv)
    except (OperationalError, InterfaceError) as error:
        return _fail(_database_sentence(error))
    except SystemExit as ended:
        if ended.code == 1 and argv[1] in COMMANDS:
            return COULD_NOT_RUN
        raise
    return 0


def _database_sentence(error: Exception) -> str:
    """Why the database could not be used, and what to do."""
    from cachewatch.environment import Environment

    words = " ".join(str(error).split())
    answered = getattr(error.__cause__, "sqlstate", None)
    if answered and not answered.startswith("57P"):  # 57P..: it is being shut down
        return f"the database refused: {words}"
    if Environment().optional("DATABASE_URL") is None:
        return "the product is not running; start it with `make run` or `cachewatch run`"
    return f"the database of DATABASE_URL does not answer: {words}"


def _fail(sentence: str) -> int:
    print(f"cachewatch: {sentence}", file=sys.stderr)
    return COULD_NOT_RUN


if __name__ == "__main__":
    sys.exit(main())
