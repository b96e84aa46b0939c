"""The hours of a series, as its page's table and as the file beside it hold them."""

from __future__ import annotations

import csv
import io
from datetime import datetime

from playwright.sync_api import Page

Cells = list[str]
_REASONS = {
    "after_gap": "after a gap",
    "unknown_before": "the hour before is not known",
    "settling": "still settling",
    "open": "not over yet",
    "no_traffic": "no traffic",
    "missing": "not fetched",
    "in_part": "read in part",
    "no_input": "no input tokens",
    "no_requests": "no request count",
    "not_reported": "cached tokens not reported",
}


def hours_of_table(page: Page) -> list[Cells]:
    """The rows of the timeline's table: hour, requests, share, cached, input, in the verdict."""
    rows = page.get_by_role("region", name="Hours in order").locator("tbody tr")
    return [text.split("\t") for text in rows.all_inner_texts()]


def hours_of_file(page: Page) -> list[Cells]:
    """The rows of the CSV that the timeline links to, written as the table writes them."""
    link = page.get_by_role("link", name="CSV of share and requests by hour, UTC")
    answer = page.request.get(link.get_attribute("href") or "")
    assert answer.status == 200, answer.text()
    return [_as_in_table(row) for row in csv.DictReader(io.StringIO(answer.text()))]


def _as_in_table(row: dict[str, str]) -> Cells:
    at = datetime.fromisoformat(row["hour"])
    counts = [
        f"{int(row[name]):,}" if row[name] else "N/A"
        for name in ("requests", "cached_tokens", "input_tokens")
    ]
    share = f"{float(row['share']) * 100:.1f}%" if row["share"] else "N/A"
    hour = f"{at:%a} {at.day} {at:%b %H:%M}"
    return [hour, counts[0], share, *counts[1:], _standing(row["state"], row["third"])]


def _standing(state: str, third: str) -> str:
    if state != "used":
        return f"no: {_REASONS[state]}"
    return f"yes, {third} third" if third else "yes"
