"""The command `cachewatch`: finds the sub-command and hands over. Imports late, so that
`diagnose` needs no Django, no database and no environment.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

COULD_NOT_RUN = 2


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
    "simulate": Command(
        "", "a usage API to try things on, with a simulated fleet", "ingest.simulator.command:main"
    ),
    "signin-link": Command("EMAIL", "a one-time sign-in link", "signin_link"),
    "backfill": Command("", "read a source's history, newest week first", "backfill"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one sub-command and return its exit status; 2 where there is no such command."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    name = arguments[0] if arguments else "--help"
    if name in ("-h", "--help", "help"):
        print(usage())
        return 0 if arguments else COULD_NOT_RUN
    if name == "--version":
        from cachewatch import __version__

        print(f"cachewatch {__version__}")
        return 0
    target = COMMANDS[name].target if name in COMMANDS else name
    if ":" in target:
        module, function = target.split(":")
        status: int = getattr(importlib.import_module(module), function)(arguments[1:])
        return status
    return _management(name, target, arguments[1:])


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


def _management(name: str, target: str, arguments: list[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cachewatch.settings")
    import django
    from django.core.management import execute_from_command_line, get_commands

    from cachewatch.environment import ConfigurationError

    try:
        django.setup()
        known = target in get_commands()
    except ConfigurationError as error:
        if name in COMMANDS:
            return _fail(str(error))
        return _fail(f"{name!r} is no command of cachewatch, or one that needs a setting: {error}")
    if not known:
        return _fail(f"there is no command {name!r}; cachewatch --help lists them")
    execute_from_command_line(["cachewatch", target, *arguments])
    return 0


def _fail(sentence: str) -> int:
    print(f"cachewatch: {sentence}", file=sys.stderr)
    return COULD_NOT_RUN


if __name__ == "__main__":
    sys.exit(main())
