"""Brings the database up to date, makes what the product needs in it, and prints the sign-in line.

Run as a process of its own, so that the supervisor stays small: `python -m` this module.
"""

from __future__ import annotations

import argparse
import os
import sys


def main(argv: list[str]) -> int:
    """Run `migrate`, then `prepare`; what `prepare` prints is for the person at the terminal."""
    parser = argparse.ArgumentParser(prog="cachewatch.embedded.first_start")
    parser.add_argument("--demo-url", help="where the bundled simulator listens")
    options = parser.parse_args(argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cachewatch.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    call_command("prepare", demo_url=options.demo_url)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
