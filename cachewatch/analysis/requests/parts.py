"""Parts of a whole as percentages that add up."""

from __future__ import annotations

from collections.abc import Sequence


def parts_of_hundred(counts: Sequence[int]) -> list[str]:
    """Percentages with one digit that sum to 100.0, by largest remainders; all 0.0 % of nothing.

    >>> parts_of_hundred([1, 1, 1]), parts_of_hundred([0, 0])
    (['33.4%', '33.3%', '33.3%'], ['0.0%', '0.0%'])
    """
    total = sum(counts)
    if not total:
        return ["0.0%" for _ in counts]
    tenths = [one * 1000 // total for one in counts]
    by_remainder = sorted(range(len(counts)), key=lambda place: -(counts[place] * 1000 % total))
    for place in by_remainder[: 1000 - sum(tenths)]:
        tenths[place] += 1
    return [f"{one // 10}.{one % 10}%" for one in tenths]
