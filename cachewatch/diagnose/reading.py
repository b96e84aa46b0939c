"""Where `diagnose` gets its usage from: files, standard input, or the usage API."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from cachewatch.analysis.thresholds import SETTLE_MINUTES
from cachewatch.environment import Environment
from ingest.normalise import HourlyUsage

if TYPE_CHECKING:
    from ingest.openai_usage.client import UsageClient
    from ingest.usage_files import UsageFiles

API_DAYS = 7
HOURS_PER_DAY = 24
CELL_GROUPING = ("api_key_id", "batch", "service_tier")
SHOWN_PROBLEMS = 5
Say = Callable[[str], None]  # one line for people, on standard error
_NO_KEY = (
    "OPENAI_ADMIN_KEY is not set: give usage pages as PATH, or set it to an organization admin "
    "key (sk-admin-...) to read the usage API"
)
_IGNORED = (
    "OPENAI_BASE_URL is ignored, since an admin key must not be sent to a gateway; "
    "--base-url or CACHEWATCH_USAGE_BASE_URL name another usage API"
)


class ReadingError(Exception):
    """Usage could not be read; the message names the place and the reason in one line."""


def usage_from_files(paths: Sequence[str], now_seconds: float | None, say: Say) -> HourlyUsage:
    """Usage of the pages in the files; "-" is standard input.

    Hours that had not begun at `now_seconds` are left out; None keeps them. Raises ReadingError.
    """
    return read_files(paths, now_seconds, say).usage


def read_files(
    paths: Sequence[str], now_seconds: float | None, say: Say, *, keep_minutes: bool = False
) -> UsageFiles:
    """As usage_from_files(); `keep_minutes` keeps the 1-minute buckets beside the hours."""
    from ingest.usage_files import read_usage

    now = None if now_seconds is None else datetime.fromtimestamp(now_seconds, UTC)
    read = read_usage(paths, now=now, keep_minutes=keep_minutes)
    if read.problems:
        shown = [str(problem) for problem in read.problems[:SHOWN_PROBLEMS]]
        more = len(read.problems) - len(shown)
        raise ReadingError("; ".join([*shown, f"and {more} more problems"] if more else shown))
    for notice in read.notices:
        say(notice)
    return read


def usage_from_api(
    *, base_url: str | None, days: int | None, now_seconds: float, say: Say
) -> HourlyUsage:
    """Usage of so many days up to the newest settled hour, from the usage API: the hours that the
    page judges too. Raises ReadingError.
    """
    with usage_client(base_url) as client:
        # Only now, since it loads numpy, and a missing key should answer at once.
        from cachewatch.analysis.series import settled_until_hour

        end = settled_until_hour(now_seconds, SETTLE_MINUTES.default)
        start = end - (days or API_DAYS) * HOURS_PER_DAY
        if os.environ.get("OPENAI_BASE_URL"):
            say(_IGNORED)
        walk = client.walk_hours(
            start,
            end,
            CELL_GROUPING,
            on_page=lambda page: say(_progress(page.hours_read, page.hours_asked)),
        )
        _refuse_nothing(walk.usage, end - start)
    for notice in walk.notices:
        say(notice)
    return walk.usage


@contextmanager
def usage_client(base_url: str | None) -> Iterator[UsageClient]:
    """A client of the usage API with the key of the environment.

    Raises ReadingError, with the address, for a missing key and for any UsageError inside.
    """
    from ingest.openai_usage.client import UsageClient
    from ingest.openai_usage.errors import UsageError

    environment = Environment()
    key = environment.optional("OPENAI_ADMIN_KEY")
    if not key:
        raise ReadingError(_NO_KEY)
    url = base_url or environment.text("CACHEWATCH_USAGE_BASE_URL")
    try:
        with UsageClient(base_url=url, admin_key=key) as client:
            yield client
    except UsageError as error:
        raise ReadingError(f"{_without_password(url)}: {error.sentence}") from error


def _refuse_nothing(usage: HourlyUsage, asked: int) -> None:
    """Raises BadAnswer where an answer held not one whole hour of those asked for."""
    from ingest.openai_usage.errors import BadAnswer
    from ingest.usage_files import no_hour_reason

    if not usage.covered_hours and not usage.partly_read_hours:
        raise BadAnswer("", no_hour_reason(usage, f" of the {asked:,} asked for"))


def _without_password(url: str) -> str:
    """The address as it may be printed: what stands before an @ is left out."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _progress(hours_read: int, hours_asked: int) -> str:
    return f"read {hours_read:,} of {hours_asked:,} hours"
