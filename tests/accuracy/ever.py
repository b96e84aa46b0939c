"""Ever accused: innocent series looked at every day for 28 days, through windows of seven."""

from __future__ import annotations

from collections.abc import Sequence

from tests.accuracy.judges import Judge, window_of
from tests.accuracy.scores import ACCUSATION, Rate
from tests.accuracy.series import LabelledSeries

HISTORY_DAYS = 28
WINDOW_DAYS = 7
ANNOUNCED_OF_3 = 2  # consecutive daily windows that must agree


def ever_accused(series: Sequence[LabelledSeries], judge: Judge) -> tuple[Rate, Rate]:
    """Accused in any daily window, and accused in two of three consecutive ones.

    Only innocent series of 28 days whose state of affairs did not change are looked at.
    """
    chosen = [one for one in series if _can_be_followed(one)]
    ends = range(WINDOW_DAYS, HISTORY_DAYS + 1)
    windows = [
        window_of(one, end_hour=one.first_hour + 24 * end, days=WINDOW_DAYS)
        for one in chosen
        for end in ends
    ]
    words = judge(windows) if windows else []
    accused = [word == ACCUSATION for word in words]
    looks = [accused[at : at + len(ends)] for at in range(0, len(accused), len(ends))]
    return (
        Rate(sum(any(days) for days in looks), len(looks)),
        Rate(sum(_announced(days) for days in looks), len(looks)),
    )


def _can_be_followed(one: LabelledSeries) -> bool:
    steady = one.current_from == one.first_hour
    return one.days == HISTORY_DAYS and steady and one.truth.standing == "innocent"


def _announced(days: Sequence[bool]) -> bool:
    return any(sum(days[at : at + 3]) >= ANNOUNCED_OF_3 for at in range(len(days)))
