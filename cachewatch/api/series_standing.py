"""What stands beside a verdict of a series: the decision, causes, the cell, how firmly it stands."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Literal

from ninja import Field

from cachewatch.analysis.day_jackknife import DayIntervals
from cachewatch.analysis.decision_words import decision_sentence
from cachewatch.analysis.readout_thresholds import SHOWN_CONFIDENCE
from cachewatch.api.base_shape import Shape
from cachewatch.api.shapes import VerdictCode, verdict_code
from cachewatch.verdicts.daily import standing, window_now
from cachewatch.verdicts.models import Decision as StoredDecision
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.presenting import verdict_word

ControlStatus = Literal["ruled_out", "open", "not_testable", "fired"]


class Control(Shape):
    """One cause that was looked for: how it stands, the numbers behind that, what would change it.

    "fired": this is what the numbers show. "open": it may be so, and `to_flip` would settle it.
    """

    name: str
    status: ControlStatus
    statement: str
    to_flip: str
    numbers: dict[str, float | None]


class CellRef(Shape):
    """The API key, tier and batch setting that a verdict is about; a null part was not reported."""

    api_key_id: str | None
    api_key_name: str | None = Field(description="null without a key; the id where it has no name")
    service_tier: str | None
    batch: bool | None


class Stability(Shape):
    """The fall with parts left out, in points of share (0 to 1).

    `stands`: it is a finding whichever single day is left out. `weakest_day_start`: the day without
    which it is smallest.
    """

    without_busiest_hour: float | None
    without_one_day: float | None
    weakest_day_start: datetime | None
    stands: bool


class LoadIntervals(Shape):
    """How sure the gap and the rank correlation are: [low, high], two-sided, -1 to 1.

    Each of `days` days of 24 hours is left out in turn (the jackknife), so the hours of a day count
    as one. `gap`: busy share minus quiet share. `rho` is null where it is perfect, with all days or
    without one. `confidence`: 0 to 1.
    """

    gap: list[float]
    rho: list[float] | None
    days: int
    confidence: float


class Standing(Shape):
    """What standing_fields() gives; `intervals` are null where they cannot be stated."""

    controls: list[Control]
    generation: str | None
    cell: CellRef | None
    stability: Stability | None
    intervals: LoadIntervals | None


class SeriesDecision(Shape):
    """What findings follow: taken once a service day, while the verdict follows every hour.

    `provisional_until`: the first day on which what is provisional may be confirmed, null where
    nothing is. `newest_differs`: the newest hours say something else than what stands.
    `changed_by`: what else than the traffic changed where that made it. `agreeing` of the last
    `windows` daily windows say so. `since`: the day of the first of those in a row; where it is not
    that of the verdict, `sentence` says both.
    """

    code: VerdictCode
    word: str
    is_finding: bool
    since: date
    decided_on: date
    confirmed: bool
    agreeing: int
    windows: int
    provisional_until: date | None
    newest_differs: bool
    changed_by: Literal["rules", "thresholds", "minutes"] | None
    sentence: str


def decision_out(verdict: Verdict | None) -> SeriesDecision | None:
    """The decision on the series of a newest verdict that was read with it; None before the first."""
    row: StoredDecision | None = (
        None if verdict is None else getattr(verdict.series, "decision", None)
    )
    if verdict is None or row is None:
        return None
    decision, newest = standing(row), window_now(verdict)
    return SeriesDecision(
        code=verdict_code(decision.code),
        word=verdict_word(decision.code),
        is_finding=decision.is_finding,
        since=decision.since,
        decided_on=decision.decided_on,
        confirmed=decision.confirmed,
        agreeing=decision.agreeing,
        windows=decision.windows,
        provisional_until=decision.may_change_on(newest),
        newest_differs=newest.says(decision.finding) != decision.finding,
        changed_by=decision.cause or None,
        sentence=decision_sentence(decision, newest, verdict.since_day),
    )


DECISION_EXAMPLE: dict[str, Any] = {
    "code": "load-correlated-misses",
    "word": "Misses rise with load",
    "is_finding": True,
    "since": "2026-11-21",
    "decided_on": "2026-11-26",
    "confirmed": True,
    "agreeing": 3,
    "windows": 3,
    "provisional_until": None,
    "newest_differs": False,
    "changed_by": None,
    "sentence": "Decided on Thu 26 Nov; confirmed by 3 of 3 daily windows, first seen on Sat 21 Nov.",
}
STANDING_EXAMPLE: dict[str, Any] = {
    "controls": [
        {
            "name": "prompt-length",
            "status": "ruled_out",
            "statement": "Busy prompts are 100% as long as quiet ones, and 1,363 cached tokens a "
            "request become 328: length leaves 52 points of a fall of 52 points.",
            "to_flip": "Half of the fall explained by the length of the prompts.",
            "numbers": {
                "size_change": 1.0,
                "cached_per_request": 1363.0,
                "cached_per_request_busy": 328.0,
                "beyond_length": 0.52,
                "fall": 0.52,
            },
        }
    ],
    "generation": "up to GPT-5.4",
    "cell": {
        "api_key_id": "key_1",
        "api_key_name": "gateway",
        "service_tier": "default",
        "batch": False,
    },
    "stability": {
        "without_busiest_hour": 0.51,
        "without_one_day": 0.49,
        "weakest_day_start": "2026-11-22T03:00:00Z",
        "stands": True,
    },
    "intervals": {"gap": [-0.565, -0.474], "rho": [-0.99, -0.962], "days": 7, "confidence": 0.9},
}


def standing_fields(
    shown: Mapping[str, Any] | None, names: Mapping[str, str], sure: DayIntervals | None
) -> dict[str, Any]:
    """Standing from what present() made of a verdict and from how sure its numbers are.

    `names` are those of API keys.
    """
    if shown is None:
        return dict.fromkeys(Standing.model_fields) | {"controls": []}
    cell, stability = shown["cell"], shown["stability"]
    return {
        "controls": [Control(**one) for one in shown["controls"]],
        "generation": shown["generation"],
        "cell": _cell(cell, names) if cell else None,
        "stability": Stability(**stability) if stability else None,
        "intervals": _intervals(sure) if sure else None,
    }


def _intervals(sure: DayIntervals) -> LoadIntervals:
    return LoadIntervals(
        gap=list(sure.gap),
        rho=None if sure.rho is None else list(sure.rho),
        days=sure.days,
        confidence=SHOWN_CONFIDENCE.default,
    )


def _cell(cell: Mapping[str, Any], names: Mapping[str, str]) -> CellRef:
    key = cell["api_key_id"]
    return CellRef(api_key_name=None if key is None else names.get(key, key), **cell)
