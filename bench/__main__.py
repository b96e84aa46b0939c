"""`python -m bench [PART ...]`: measure the parts one after the other, and print JSON."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.part import Options, Part, machine

PARTS = (
    "diagnosis",
    "classify",
    "ingest",
    "answers",
    "growth",
    "two_groups",
    "load",
    "pages",
    "first_start",
)


def main(argv: list[str] | None = None) -> int:
    """Measure, print one JSON object of part to figures; 0 where every part ran."""
    options = _parser().parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that servers and folders go too
    wanted = Options(options.runs, options.tiny, options.scale)
    found: dict[str, Any] = {}
    for name in options.parts or PARTS:
        part: Part = import_module(f"bench.{name}").run
        found[name] = {"machine": machine(), "scale": wanted.scale} | dict(part(wanted))
    text = json.dumps(found, indent=2) + "\n"
    sys.stdout.write(text)
    if options.out:
        options.out.write_text(text)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", choices=[*PARTS, []], metavar="PART", help=" ".join(PARTS)
    )
    parser.add_argument("--runs", type=int, default=5, help="measured runs of each step")
    parser.add_argument("--scale", type=float, default=1.0, help="part of the sizes, 0..1")
    parser.add_argument("--tiny", action="store_true", help="show that it runs; no figure counts")
    parser.add_argument("--out", type=Path, help="a file for the same JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
