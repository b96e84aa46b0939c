"""What a readout is asked about: the series, the marker, and everything else that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cachewatch.analysis.cells import CellBatch, whole_series_as_cells
from cachewatch.analysis.hour_rates import HourRates
from cachewatch.analysis.readouts.kinds import EXPECTATIONS, Kind
from cachewatch.analysis.series import SeriesBatch


@dataclass(frozen=True)
class Marker:
    """A repair that shipped.

    Attributes:
        kind: of the repair.
        from_hour, to_hour: the ramp, whole UTC hours since the epoch, half-open: hours before
            `from_hour` are untouched, from `to_hour` on all traffic has it. Equal: at once, on
            the hour.

    Raises:
        ValueError: there is no such kind, or the ramp ends before it begins.

    """

    kind: Kind
    from_hour: int
    to_hour: int

    def __post_init__(self) -> None:
        if self.kind not in EXPECTATIONS:
            raise ValueError(
                f"{self.kind!r} is no repair kind; there are {', '.join(EXPECTATIONS)}"
            )
        if self.to_hour < self.from_hour:
            raise ValueError(f"the ramp ends in hour {self.to_hour}, before {self.from_hour}")


@dataclass(frozen=True)
class OtherMarker:
    """Another marker that touches the series: what it is, and its hours, half-open."""

    label: str
    from_hour: int
    to_hour: int


@dataclass(frozen=True, eq=False)
class Question:
    """One readout to make.

    Attributes:
        batch: the target and the series that may serve as controls; hours before the marker count
            up to 28 days back.
        target: index of the series.
        marker: the repair.
        now_hour: the first hour that is not settled now (series.settled_until_hour).
        models: of every series; None = unknown, or several joined.
        controls: indices of candidates; None: every other series.
        cells: the cells of the target alone; None: it is its own only cell.
        rates: prices of the cells' hours; None: unpriced.
        others: other markers of this series; None: not known, as in files.
        until_hour: the after-window ends here at the latest; None: no limit.
        unread_before: hours of the before-window that were never read; what they held is unknown.
        seed: of what is drawn at random (fake markers, resampled days).

    Raises:
        ValueError: there is no such series, or not one model for each.

    """

    batch: SeriesBatch
    target: int
    marker: Marker
    now_hour: int
    models: Sequence[str | None]
    controls: Sequence[int] | None = None
    cells: CellBatch | None = None
    rates: HourRates | None = None
    others: Sequence[OtherMarker] | None = ()
    until_hour: int | None = None
    unread_before: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.target < len(self.batch):
            raise ValueError(f"there is no series {self.target} among {len(self.batch)}")
        if len(self.models) != len(self.batch):
            raise ValueError(f"{len(self.models)} models for {len(self.batch)} series")

    @property
    def model(self) -> str | None:
        """The target's model."""
        return self.models[self.target]

    @property
    def series(self) -> SeriesBatch:
        """The target as a batch of one."""
        return self.batch.one(self.target)

    @property
    def last_hour(self) -> int:
        """The hour in which everything that counts ends; before the marker where it lies ahead."""
        return self.now_hour if self.until_hour is None else min(self.now_hour, self.until_hour)

    @property
    def candidates(self) -> list[int]:
        """Series that may serve as controls, the target never among them."""
        wanted = range(len(self.batch)) if self.controls is None else self.controls
        return sorted({index for index in wanted if index != self.target})

    @property
    def known_cells(self) -> CellBatch:
        """The cells, or the series as its own only one."""
        return self.cells if self.cells is not None else whole_series_as_cells(self.series)
