"""Small-sample statistics: Wilson interval, Fisher's exact test, a seeded permutation test."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from cachewatch.analysis.requests.thresholds import SHUFFLES
from cachewatch.analysis.segments import Bools, Floats, Ints, ratio

Z_95 = 1.959963984540054
SEED = 20_261_130
_AT_ONCE = 100  # shuffles in memory
_EQUAL = 1e-12
_TIED = 1e-7  # relative difference of probabilities that are one


def wilson(successes: int, n: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a fraction; (0, 1) for nothing.

    >>> tuple(round(end, 3) for end in wilson(1, 4))
    (0.046, 0.699)
    """
    if n == 0:
        return 0.0, 1.0
    share, z2 = successes / n, Z_95**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def fisher_p(full_a: int, n_a: int, full_b: int, n_b: int) -> float | None:
    """Two-sided p of Fisher's exact test; None where an arm is empty.

    >>> round(fisher_p(0, 5, 4, 5), 4)
    0.0476
    """
    if not n_a or not n_b:
        return None
    full, n = full_a + full_b, n_a + n_b
    ways = np.arange(max(0, full - n_b), min(full, n_a) + 1)
    log_p = _log_choose(n_a, ways) + _log_choose(n_b, full - ways) - _log_choose(n, full)
    seen = log_p[full_a - ways[0]]
    return float(min(1.0, np.exp(log_p[log_p <= seen + _TIED]).sum()))


def _log_choose(n: int, k: Ints | int) -> Floats:
    """The logarithm of n over k."""
    found: Floats = gammaln(n + 1) - gammaln(np.add(k, 1)) - gammaln(np.subtract(n + 1, k))
    return found


def permutation_p(cached: Floats, input_tokens: Floats, in_b: Bools) -> float:
    """Two-sided p of the difference of pooled shares, by seeded shuffles of the arms' requests.

    Args:
        cached, input_tokens: (n,) tokens. in_b: (n,) whether a request is of the second arm.

    """
    generator = np.random.default_rng(SEED)
    seen = abs(float(_differences(cached, input_tokens, in_b[None, :])[0]))
    shuffles, more = int(SHUFFLES.default), 0
    for start in range(0, shuffles, _AT_ONCE):
        rows = np.repeat(in_b[None, :], min(_AT_ONCE, shuffles - start), axis=0)
        shuffled = generator.permuted(rows, axis=1)
        found = _differences(cached, input_tokens, shuffled)
        more += int((np.abs(found) >= seen - _EQUAL).sum())
    return (more + 1) / (shuffles + 1)


def _differences(cached: Floats, input_tokens: Floats, in_b: Bools) -> Floats:
    """Pooled share of the second arm minus that of the first, of each row of arms; (rows,)."""
    of_b, read_b = in_b @ input_tokens, in_b @ cached
    share_b = ratio(read_b, of_b)
    share_a = ratio(cached.sum() - read_b, input_tokens.sum() - of_b)
    return np.nan_to_num(share_b - share_a)


class Transition(NamedTuple):
    """Misses where something changed and where it did not."""

    changed: int
    missed_changed: int
    same: int
    missed_same: int

    @property
    def rate_changed(self) -> float:
        """Misses over requests after a change; 0 without any."""
        return self.missed_changed / self.changed if self.changed else 0.0

    @property
    def rate_same(self) -> float:
        """Misses over requests without a change; 0 without any."""
        return self.missed_same / self.same if self.same else 0.0

    @property
    def p(self) -> float:
        """Fisher's p that both rates are one; 1 where either side is empty."""
        found = fisher_p(self.missed_changed, self.changed, self.missed_same, self.same)
        return 1.0 if found is None else found


def transition(changed: Bools, missed: Bools, among: Bools) -> Transition:
    """The table of `missed` by `changed`, of the requests in `among`; all (n,)."""
    return Transition(
        int((changed & among).sum()),
        int((changed & missed & among).sum()),
        int((~changed & among).sum()),
        int((~changed & missed & among).sum()),
    )
