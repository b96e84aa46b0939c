"""Made logs for the tests of imports: three arms by turns, as somebody would replay one prompt."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cachewatch.evidence.services import NewImport, Received, read_waiting, receive
from cachewatch.evidence.spool import incoming
from ingest.models import Series, Source
from tests.factories import HOUR, at

FIRST_SECOND = HOUR * 3600
ARMS = ("no key", "key per request", "one stable key")
# Reads of each arm in turns; the first call of each is cold.
READS = {
    "no key": (0, 3200, 0, 0, 3200, 0, 1152, 0, 0, 3200, 0),
    "key per request": (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    "one stable key": (0, *[3200] * 10),
}


def replay(**more: object) -> list[dict[str, object]]:
    """33 requests: 11 of each arm, by turns, 20 seconds apart; the account changes once."""
    rows: list[dict[str, object]] = []
    for turn in range(11):
        for arm in ARMS:
            number = len(rows)
            rows.append(
                {
                    "timestamp": FIRST_SECOND + 20 * number,
                    "session": f"session-{arm}",
                    "model": "gpt-5.4",
                    "input_tokens": 4000 + 7 * number,
                    "cached_input_tokens": READS[arm][turn],
                    "prompt_cache_key": _key(arm, turn),
                    "account": "org-first" if turn < 8 else "org-second",
                    "arm": arm,
                    **more,
                }
            )
    return rows


def _key(arm: str, turn: int) -> str | None:
    return {"no key": None, "key per request": f"run-{turn}", "one stable key": "stable"}[arm]


def lines(rows: Iterable[Mapping[str, object]]) -> bytes:
    """Rows as JSON lines."""
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def waiting(
    source: Source,
    folder: Path,
    *contents: bytes,
    name: str = "replay.jsonl",
    log_format: str = "auto",
    by: tuple[str, ...] = (),
    series: Series | None = None,
    minutes: int = 0,
) -> Received:
    """A log of one file or more that is sent so many minutes after HOUR."""
    with incoming(folder) as upload:
        for content in contents or (lines(replay()),):
            upload.begin(name)
            upload.add(content)
        new = NewImport(source, name, log_format, by, series)
        return receive(upload, new, folder, by=None, now=at(HOUR, minutes))


def imported(source: Source, folder: Path, *contents: bytes, **more: Any) -> Received:
    """The same, and a worker that read all that waits."""
    found = waiting(source, folder, *contents, **more)
    while read_waiting(folder, clock=lambda: at(HOUR, more.get("minutes", 0))):
        pass
    found.row.refresh_from_db()
    return found


def read(folder: Path, minutes: int = 0) -> bool:
    """A worker reads what waits longest; whether more wait then."""
    return read_waiting(folder, clock=lambda: at(HOUR, minutes))


def left_in(folder: Path) -> int:
    """How many files the folder holds."""
    return len(list(folder.iterdir()))
