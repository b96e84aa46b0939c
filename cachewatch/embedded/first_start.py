"""Brings the database up to date and makes what the product needs in it.

Run as a process of its own, so that the supervisor stays small: `python -m` this module. It prints
one line of JSON, `{"sign_in_url": text or null, "demo_wanted": true or false}`.
"""

from __future__ import annotations

import argparse
import os
import sys


def main(argv: list[str]) -> int:
    """Run `migrate`, then `prepare` with the address of the demo's usage API, if one listens."""
    parser = argparse.ArgumentParser(prog="cachewatch.embedded.first_start")
    parser.add_argument("--demo-url", help="the base URL of the bundled simulator")
    options = parser.parse_args(argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cachewatch.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    call_command("prepare", json=True, demo_url=options.demo_url)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
