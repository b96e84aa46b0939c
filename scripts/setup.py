#!/usr/bin/env python3
"""Sets the project up: .venv, Python packages, frontend packages, built pages.

`make` and the Dockerfile call it. Python 3.11 or newer; standard library only. Each step leaves a
stamp of what it was made from, so that a second call has nothing to do, and a call after an
interruption goes on where the last finished step ended.
"""

from __future__ import annotations

import argparse
import os
import sys

import browser
import frontend_build
import node
import packages
from project import only_one


def main(argv: list[str]) -> int:
    """Run the step that was asked for; every failure is one line and status 2."""
    # Set in some images: without the byte code of the packages every start takes seconds longer.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    options = _parser().parse_args(argv)
    try:
        with only_one():
            _do(options)
    except KeyboardInterrupt:
        print("set-up: interrupted; the next call goes on from here", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="setup.py", description=__doc__)
    parser.add_argument(
        "step",
        nargs="?",
        default="all",
        choices=["all", "packages", "frontend", "browser"],
        help="all: packages and frontend (default); browser: Chromium for the browser tests",
    )
    parser.add_argument(
        "--without-dev", action="store_true", help="only what running the product needs"
    )
    parser.add_argument(
        "--production",
        action="store_true",
        help="packages: neither tools nor the embedded database and broker",
    )
    return parser


def _do(options: argparse.Namespace) -> None:
    if options.step == "browser":
        browser.ensure()
        return
    if options.step == "frontend":
        frontend_build.ensure()
        return
    packages.ensure(_requirements(options), byte_code=options.production)
    if options.step == "all":
        frontend_build.ensure()


def _requirements(options: argparse.Namespace) -> list[str]:
    if options.production:
        return [packages.APP]
    names = [packages.APP, packages.LOCAL]
    if not options.without_dev:
        names.append(packages.DEV)
    needs_node = not options.without_dev or not frontend_build.is_current()
    if options.step == "all" and needs_node and not node.machine_has_node():
        names.append(packages.NODE)
    return names


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
