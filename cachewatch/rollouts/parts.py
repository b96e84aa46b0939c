"""The parts of a verdict's window, divided where its latest repair was marked, or where it began."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal, NamedTuple

from cachewatch.analysis.sentences import day_words
from cachewatch.analysis.week_parts import Cut, WeekPart, week_parts
from cachewatch.rollouts.kinds import MARKER_WORDS, REPAIRS
from cachewatch.rollouts.models import Marker
from cachewatch.rollouts.queries import MarkerFilter, list_markers
from cachewatch.verdicts.arrays import load_batch
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.presenting import evidence_of_verdict
from ingest.models import Series

SECONDS_PER_HOUR = 3600
CutKind = Literal["marker", "onset"]


class WindowCut(NamedTuple):
    """What divides a window.

    `at` is when it began and `until` the end of its ramp; `word` says what it is: a kind of marker
    in words, or "onset". `marker_id` is None for an onset.
    """

    kind: CutKind
    at: datetime
    until: datetime | None
    word: str
    marker_id: int | None

    @property
    def words(self) -> str:
        """When, as labels have it: "Mon 23 Nov 10:00"."""
        return f"{day_words(int(self.at.timestamp()) // SECONDS_PER_HOUR)} {self.at:%H:%M}"

    @property
    def hours(self) -> Cut:
        """In whole hours; an hour that holds the moment itself is in neither part."""
        end = self.until or self.at
        before = int(self.at.timestamp()) // SECONDS_PER_HOUR
        return Cut(before, -(-int(end.timestamp()) // SECONDS_PER_HOUR))


def parts_of_window(series: Series, verdict: Verdict, cut: WindowCut | None) -> list[WeekPart]:
    """The parts of a verdict's window, from its hours as they are stored now."""
    batch = load_batch([series.pk], verdict.window_start_hour, verdict.window_end_hour)
    return week_parts(batch, cut.hours if cut else None)


def cut_of_window(series: Series, verdict: Verdict) -> WindowCut | None:
    """The latest repair marked inside the window, else the verdict's onset, else None."""
    return _latest_repair(series, verdict) or _onset(verdict)


def _latest_repair(series: Series, verdict: Verdict) -> WindowCut | None:
    start = _moment(verdict.window_start_hour)
    inside = MarkerFilter(
        source_ids=[series.source_id],
        series=series,
        start=start,
        end=_moment(verdict.window_end_hour),
        kinds=list(REPAIRS),
        states=[Marker.State.IN_FORCE],
    )
    found = list_markers(inside).filter(starts_at__gt=start).first()
    if found is None:
        return None
    word = MARKER_WORDS[found.kind]
    return WindowCut("marker", found.starts_at, found.ends_at, word, found.pk)


def _onset(verdict: Verdict) -> WindowCut | None:
    evidence = evidence_of_verdict(verdict)
    if evidence is None or evidence.since_hour is None:
        return None
    return WindowCut("onset", _moment(evidence.since_hour), None, "onset", None)


def _moment(hour: int) -> datetime:
    return datetime.fromtimestamp(hour * SECONDS_PER_HOUR, UTC)
