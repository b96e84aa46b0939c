"""What the simulated organization pays: list-like prices, USD per million tokens.

Public list prices of November 2026. Writes are billed from GPT-5.6 only: 1.25 times input for
30 minutes, 2.5 times for 12 hours. Batch and flex cost half, priority twice.
"""

from __future__ import annotations

from typing import NamedTuple

from ingest.simulator.workload import Cell


class Price(NamedTuple):
    """USD per million tokens."""

    input: float
    cached: float
    output: float
    write_30m: float = 0.0
    write_12h: float = 0.0


PRICES: dict[str, Price] = {
    "gpt-4o-mini": Price(0.15, 0.075, 0.60),
    "gpt-4.1": Price(2.00, 0.50, 8.00),
    "gpt-5.1": Price(1.25, 0.125, 10.00),
    "gpt-5.2": Price(1.75, 0.175, 14.00),
    "gpt-5.4-nano": Price(0.20, 0.02, 1.25),
    "gpt-5.4-mini": Price(0.75, 0.075, 4.50),
    "gpt-5.4": Price(2.50, 0.25, 15.00),
    "gpt-5.5": Price(5.00, 0.50, 30.00),
    "gpt-5.6-luna": Price(0.20, 0.02, 1.20, 0.25, 0.50),
    "gpt-5.6-terra": Price(2.00, 0.20, 12.00, 2.50, 5.00),
}
TIER_FACTOR = {"default": 1.0, "priority": 2.0, "flex": 0.5}
BATCH_FACTOR = 0.5


def price_of(cell: Cell) -> Price:
    """The price of a cell's model, tier and mode; raises KeyError for an unlisted model."""
    family = max((name for name in PRICES if cell.model.startswith(name)), key=len, default=None)
    if family is None:
        raise KeyError(cell.model)
    factor = BATCH_FACTOR if cell.batch else TIER_FACTOR[cell.service_tier or "default"]
    return Price(*(value * factor for value in PRICES[family]))
