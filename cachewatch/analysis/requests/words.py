"""Parts of sentences that several causes share."""

from __future__ import annotations

from cachewatch.analysis.figures import count, percent


def requests(number: int) -> str:
    """1 request, 2 requests."""
    return f"{number:,} request" + ("" if number == 1 else "s")


def first_calls(number: int) -> str:
    """1 first call, 2 first calls."""
    return f"{number:,} first call" + ("" if number == 1 else "s")


def of(part: int, whole: int) -> str:
    """34 of 53."""
    return f"{part:,} of {whole:,}"


def size(tokens: float) -> str:
    """1,024 tokens."""
    return f"{count(tokens)} tokens"


def share(cached: float, total: float) -> str:
    """A pooled share with both of its numbers: 81.2% (9,744 of 12,000 tokens)."""
    if total <= 0:
        return "N/A"
    return f"{percent(cached / total, 1)} ({count(cached)} of {size(total)})"


def p_value(p: float) -> str:
    """p = 0.048, or p < 0.001."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.{2 if p >= 0.095 else 3}f}"
