"""GET /organization/costs: daily amounts, the tokens of completions at list-like prices."""

from __future__ import annotations

import json
from collections import defaultdict

from ingest.simulator.buckets import COSTS_LIMITS, Bucket, page_of
from ingest.simulator.prices import price_of
from ingest.simulator.query import Query
from ingest.simulator.refusal import refused
from ingest.simulator.service import CACHED, INPUT, OUTPUT, WRITTEN_12H, WRITTEN_30M
from ingest.simulator.usage_pages import page_text
from ingest.simulator.workload import Cell
from ingest.simulator.world import Selection, World

GROUPINGS = ("project_id", "line_item", "api_key_id", "user_id", "api_source")
FIRST_START_BY_API_KEY = 1764979200
TOKENS_PER_PRICE = 1_000_000

LineKey = tuple[str | None, ...]


def costs_page(world: World, query: Query, now: float, lookback_days: int) -> bytes:
    """One page of daily costs as JSON."""
    grouping = query.some_of("group_by", GROUPINGS)
    if not query.lenient:
        _refuse_unsupported(grouping, query)
    projects, keys = query.many("project_ids"), query.many("api_key_ids")
    items = query.many_whole("line_items")
    fingerprint = f"costs {sorted(grouping)} {sorted(projects)} {sorted(keys)} {sorted(items)}"
    page = page_of(query, now, COSTS_LIMITS, fingerprint, lookback_days)

    def chosen(cell: Cell) -> bool:
        return (not projects or cell.project_id in projects) and (
            not keys or cell.api_key_id in keys
        )

    selection = world.selection(chosen)
    if page.buckets:
        selection.prepare(page.buckets[0].start, page.buckets[-1].end)
    texts = [
        json.dumps(
            {
                "object": "bucket",
                "start_time": bucket.start,
                "end_time": bucket.end,
                "results": _results(selection, bucket, now, grouping, items),
            }
        ).encode()
        for bucket in page.buckets
    ]
    return page_text(texts, page.next_page)


def _refuse_unsupported(grouping: tuple[str, ...], query: Query) -> None:
    start = query.whole_number("start_time")
    if "api_key_id" in grouping and start is not None and start < FIRST_START_BY_API_KEY:
        raise refused(
            400,
            f"group_by api_key_id needs a start_time of {FIRST_START_BY_API_KEY} or later.",
            param="group_by",
        )
    if {"user_id", "project_id"} <= set(grouping):
        raise refused(400, "group_by user_id cannot be combined with project_id.", param="group_by")


def _results(
    selection: Selection,
    bucket: Bucket,
    now: float,
    grouping: tuple[str, ...],
    items: tuple[str, ...],
) -> list[dict[str, object]]:
    amounts: defaultdict[LineKey, float] = defaultdict(float)
    quantities: defaultdict[LineKey, int] = defaultdict(int)
    usage = selection.usage(bucket.start, bucket.end, now).tolist()
    for cell, row in zip(selection.cells, usage, strict=True):
        for item, tokens, dollars in _lines(cell, row):
            if tokens and (not items or item in items):
                key = tuple(
                    item if name == "line_item" else getattr(cell, name)
                    for name in GROUPINGS
                    if name in grouping
                )
                amounts[key] += tokens * dollars / TOKENS_PER_PRICE
                quantities[key] += tokens
    by_item = "line_item" in grouping
    return [
        _result(key, amount, quantities[key] if by_item else None, grouping)
        for key, amount in amounts.items()
    ]


def _lines(cell: Cell, row: list[int]) -> list[tuple[str, int, float]]:
    """(line item, tokens, USD per million) of a cell's usage; "input" leaves cached and writes out."""
    price = price_of(cell)
    written = row[WRITTEN_30M] + row[WRITTEN_12H]
    return [
        (f"{cell.model}, input", row[INPUT] - row[CACHED] - written, price.input),
        (f"{cell.model}, cached input", row[CACHED], price.cached),
        (f"{cell.model}, cache writes", row[WRITTEN_30M], price.write_30m),
        (f"{cell.model}, cache writes - 12hr", row[WRITTEN_12H], price.write_12h),
        (f"{cell.model}, output", row[OUTPUT], price.output),
    ]


def _result(
    key: LineKey, amount: float, quantity: int | None, grouping: tuple[str, ...]
) -> dict[str, object]:
    grouped = dict(zip([name for name in GROUPINGS if name in grouping], key, strict=True))
    return {
        "object": "organization.costs.result",
        "amount": {"value": round(amount, 10), "currency": "usd"},
        **{name: grouped.get(name) for name in GROUPINGS},
        "quantity": quantity,
        "quantity_unit": None if quantity is None else "tokens",
    }
