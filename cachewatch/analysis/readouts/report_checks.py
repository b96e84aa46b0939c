"""Can the reported numbers be right, and does one change describe them?"""

from __future__ import annotations

from math import isnan

import numpy as np

from cachewatch.analysis.accounting import accounts_of
from cachewatch.analysis.readout_thresholds import (
    MIN_BUSY_HOURS,
    MIN_EFFECT,
    SPREAD_FACTOR,
    SPREAD_PART,
)
from cachewatch.analysis.readouts.effect import Effect
from cachewatch.analysis.readouts.material import Material
from cachewatch.analysis.readouts.question import Question
from cachewatch.analysis.readouts.result import Check
from cachewatch.analysis.readouts.windows import Spans


def reported(question: Question, spans: Spans) -> list[Check]:
    """Hours of the windows in which more is cached than sent, or the parts are not the whole."""
    cells = question.known_cells.within(spans.before_start, spans.after_end)
    merged = np.zeros(len(cells), dtype=np.int64)
    one = type(cells)(cells.hours, merged, cells.uncached_tokens, cells.long_write_tokens)
    found = accounts_of(one, 1)[0]
    odd = found.suspicions
    differ = odd.parts_differ + odd.parts_exceed
    return [
        _none_of("cached_within_input", odd.more_cached_than_input),
        _none_of("parts_add_up", differ, compared=differ + found.parts_reported > 0),
    ]


def spread_of_hours(material: Material, effect: Effect) -> Check:
    """Hours that differ so much more among themselves than before that no one change describes them.

    More than three times as much as before, by five points or more, and by a third of the change.
    """
    primary = material.primary
    before, after = primary.spread_before, primary.spread_after
    few = min(primary.before.hours, primary.after.hours) < MIN_BUSY_HOURS.default
    limit = SPREAD_FACTOR.default
    if few or isnan(before) or isnan(after):
        return Check("spread_of_hours", None, None, limit, ok=None)
    wide = after > limit * before and after >= MIN_EFFECT.default
    unclear = wide and after >= SPREAD_PART.default * abs(effect.net)
    return Check("spread_of_hours", before, after, limit, not wide, unclear)


def _none_of(name: str, hours: int, *, compared: bool = True) -> Check:
    if not compared:
        return Check(name, None, None, 0.0, ok=None)
    return Check(name, None, float(hours), 0.0, hours == 0, hours > 0)
