"""Arms of a comparison: what each read, and whether two differ by more than chance."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.figures import MINUS, percent
from cachewatch.analysis.requests.arm_reads import full_reads
from cachewatch.analysis.requests.findings import Arm, Comparison
from cachewatch.analysis.requests.groups import groups_of
from cachewatch.analysis.requests.layout import layout_of
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.statistics import fisher_p, permutation_p, wilson
from cachewatch.analysis.requests.thresholds import (
    ALL_PAIRS,
    CHANCE,
    FEW_PAIRS,
    IMBALANCE,
    NO_CHANGE,
    SHUFFLED_ROWS,
    SMALL_ARM,
)
from cachewatch.analysis.requests.words import of, p_value
from cachewatch.analysis.segments import Bools

NOT_REPORTED = "not reported"


class _Side(NamedTuple):
    arm: Arm
    rows: Bools


def arms_of(reads: Reads) -> tuple[tuple[Arm, ...], tuple[Comparison, ...]]:
    """The arms of `reads.arms` in the order they first ran, and the pairs worth comparing.

    Of several columns, those pairs that differ in one of them.
    """
    if not reads.arms:
        return (), ()
    sides = _sides(reads)
    full = full_reads(reads)
    pairs = list(combinations(sides, 2))
    if len(sides) > ALL_PAIRS.default:
        largest = max(sides, key=lambda side: side.arm.n)
        pairs = [(largest, side) for side in sides if side is not largest]
    pairs = [(a, b) for a, b in pairs if _differ_in_one(a.arm, b.arm)]
    compared = [_compare(reads, full, a, b, len(pairs)) for a, b in pairs]
    return tuple(side.arm for side in sides), tuple(compared)


def _sides(reads: Reads) -> list[_Side]:
    codes = [reads.batch.codes_of(column) for column in reads.arms]
    groups, full = groups_of(*codes), full_reads(reads)
    first = groups.order[groups.starts]
    return [
        _side(reads, full, groups.ids == number, int(first[number]))
        for number in np.argsort(first).tolist()
    ]


def _side(reads: Reads, full: Bools, rows: Bools, first: int) -> _Side:
    values = {column: _word(reads, column, first) for column in reads.arms}
    n, hits = int(rows.sum()), int(full[rows].sum())
    zeros = int((reads.cached[rows] == 0).sum())
    input_tokens, cached = reads.batch.input_tokens[rows].sum(), reads.cached[rows].sum()
    keys = reads.batch.key[rows]
    arm = Arm(
        *(values, n, zeros, n - zeros - hits, hits, int(input_tokens), int(cached)),
        *(float(cached / input_tokens) if input_tokens else None, wilson(hits, n)),
        first_is_cold=bool(reads.cached[first] == 0),
        distinct_keys=len(np.unique(keys[keys >= 0]))
        if reads.batch.has("prompt_cache_key")
        else None,
    )
    return _Side(arm, rows)


def _word(reads: Reads, column: str, row: int) -> str:
    code = int(reads.batch.codes_of(column)[row])
    words = reads.batch.words_of(column)
    return words[code] if 0 <= code < len(words) else NOT_REPORTED


def _differ_in_one(a: Arm, b: Arm) -> bool:
    return sum(a.values[column] != b.values[column] for column in a.values) == 1


def _compare(reads: Reads, full: Bools, a: _Side, b: _Side, pairs: int) -> Comparison:
    small = min(a.arm.n, b.arm.n) < SMALL_ARM.default
    both = a.rows | b.rows
    many = int(both.sum()) > SHUFFLED_ROWS.default
    if small or many:
        p, method = fisher_p(a.arm.full, a.arm.n, b.arm.full, b.arm.n), "fisher-exact"
    else:
        p = permutation_p(reads.cached[both], reads.batch.input_tokens[both], b.rows[both])
        method = "permutation"
    layout = layout_of(b.rows[both])
    words = [
        _difference(a.arm, b.arm, p),
        *_without_first_calls(reads, full, a, b),
        *(["n is small"] if small else []),
        *_order_words(layout),
        *_imbalance(a.arm, b.arm),
        *([f"one of {pairs} comparisons"] if pairs > FEW_PAIRS.default else []),
    ]
    in_short = (
        f"{of(b.arm.full, b.arm.n)} full reads in {b.arm.label}, {of(a.arm.full, a.arm.n)} in "
    )
    in_short += f"{a.arm.label}" + ("" if p is None else f" ({p_value(p)})")
    return Comparison(
        *(a.arm.label, b.arm.label, p, method, "; ".join(words) + ".", layout, in_short)
    )


def _difference(a: Arm, b: Arm, p: float | None) -> str:
    if a.share is None or b.share is None or p is None:
        return "Nothing to compare"
    points = (b.share - a.share) * 100
    change = f"{MINUS if points < 0 else '+'}{abs(points):.1f} points"
    shares = f"cached share {percent(a.share, 1)} in {a.label}, {percent(b.share, 1)} in {b.label}"
    both = f"{shares}, full reads {_reads(a)} against {_reads(b)}, {p_value(p)}"
    if p >= CHANCE.default:
        level = abs(points) < NO_CHANGE.default * 100
        return f"{'No detectable change' if level else 'Cannot tell apart'} ({change}): {both}"
    better = "higher" if points > 0 else "lower"
    return f"{b.label} reads {better} ({change}): {both}"


def _reads(arm: Arm) -> str:
    low, high = arm.hit_interval
    return f"{of(arm.full, arm.n)} ({percent(low)} to {percent(high)})"


def _without_first_calls(reads: Reads, full: Bools, a: _Side, b: _Side) -> list[str]:
    """Where a first call was cold: the same without the first calls of both arms' lineages."""
    if not (a.arm.first_is_cold or b.arm.first_is_cold):
        return []
    later = reads.groups.position > 0
    (full_a, n_a), (full_b, n_b) = (
        (int((full & later & side.rows).sum()), int((later & side.rows).sum())) for side in (a, b)
    )
    p = fisher_p(full_a, n_a, full_b, n_b)
    if p is None:
        return []
    left = f"{of(full_a, n_a)} against {of(full_b, n_b)}, {p_value(p)}"
    return [f"first calls are cold by rule, without them {left}"]


def _order_words(layout: str) -> list[str]:
    if layout == "alternating":
        return ["arms alternate"]
    if layout == "A/B/A":
        return ["there and back (A/B/A)"]
    if layout == "mixed":
        return ["arms are mixed"]
    return [f"arms do not alternate ({layout}), so what changed with time may explain it"]


def _imbalance(a: Arm, b: Arm) -> list[str]:
    if not a.input_tokens or not b.input_tokens:
        return []
    total = b.input_tokens / a.input_tokens
    each = (b.input_tokens / b.n) / (a.input_tokens / a.n)
    if max(total, 1 / total, each, 1 / each) < IMBALANCE.default:
        return []
    differs = f"input differs by {_signed(total)} in total and {_signed(each)} per request"
    return [f"{differs}: the arms are not balanced"]


def _signed(ratio: float) -> str:
    return f"{MINUS if ratio < 1 else '+'}{abs(ratio - 1) * 100:.0f}%"
