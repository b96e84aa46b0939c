"""How much one request asks for: more while answers are quick and small, less after trouble."""

from __future__ import annotations

from typing import NamedTuple

QUICK_ANSWER_S = 5.0
SMALL_ANSWER_BYTES = 4 * 1024 * 1024


class BucketWidth(NamedTuple):
    """A bucket width that adds up to hours, and how many hours of it one request may span.

    The provider gives at most 168 buckets of 1h, or 1,440 of 1m, and refuses a higher limit.
    """

    name: str  # the provider's bucket_width
    per_hour: int  # buckets
    first_hours: int  # asked for by the first request
    most_hours: int


HOURS = BucketWidth("1h", 1, 24, 168)
MINUTES = BucketWidth("1m", 60, 4, 24)


class PageSize:
    """The span of the next request, in hours, and its limit, in buckets."""

    def __init__(self, width: BucketWidth) -> None:
        self.hours = width.first_hours
        self._width = width
        self._most_hours = width.most_hours
        self._most_buckets = width.most_hours * width.per_hour

    def limit(self, hours: int) -> int:
        """Buckets to ask for in a request that spans so many hours."""
        return min(hours * self._width.per_hour, self._most_buckets)

    def settle(self, slowest_s: float, largest_bytes: int) -> None:
        """Ask for twice as much next time, if every answer of a span was quick and small."""
        if slowest_s <= QUICK_ANSWER_S and largest_bytes <= SMALL_ANSWER_BYTES:
            self.hours = min(self.hours * 2, self._most_hours)

    def shrink(self, hours: int) -> None:
        """Ask for half of the hours that failed, to the end of the walk: it would fail again."""
        self.hours = self._most_hours = max(1, hours // 2)

    def obey(self, maximum: int | None, hours: int) -> bool:
        """Keep to the provider's maximum (buckets; None: not said, so ask for half).

        `hours` were asked for. False where the maximum is no less than that.
        """
        asked = self.limit(hours)
        if maximum is None:
            maximum = asked // 2
        if not 1 <= maximum < asked:
            return False
        self._most_buckets = maximum
        self.hours = self._most_hours = max(1, maximum // self._width.per_hour)
        return True
