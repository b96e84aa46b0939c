"""Files of usage pages, written to the working folder and read back."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from ingest.normalise import HourlyUsage
from ingest.usage_files import UsageFiles, read_usage
from tests.ingest.openai_usage.provider import HOUR, bucket, page, result

FIRST = page(bucket(HOUR, result()), bucket(HOUR + 1), next_page="p2")
SECOND = page(bucket(HOUR + 2, result(num_model_requests=20)))


def read(*contents: Any, now: datetime | None = None) -> UsageFiles:
    """Read each content as a file of its own, in the working folder: 1.json, 2.json, ..."""
    for number, content in enumerate(contents, 1):
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        Path(f"{number}.json").write_bytes(raw)
    return read_usage([f"{number}.json" for number in range(1, len(contents) + 1)], now=now)


def reason(*contents: Any) -> str:
    """Why the one file among these that cannot be used cannot be used."""
    (problem,) = read(*contents).problems
    return str(problem)


def requests_by_hour(usage: HourlyUsage) -> dict[int, int | None]:
    """Requests by hours after HOUR."""
    return {row.hour - HOUR: row.requests for row in usage.rows}
