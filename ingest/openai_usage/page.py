"""One page of usage, from bytes or an already decoded document, to buckets of our own rows.

A page is decoded into structs in one go. Only a bucket that holds a value of the wrong type is
taken apart piece by piece, so that one bad value costs that value and not the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

import msgspec

from ingest.normalise import (
    DIMENSIONS,
    SECONDS_PER_HOUR,
    RejectedValue,
    SentBucket,
    utc_text,
)
from ingest.openai_usage.errors import BadAnswer
from ingest.openai_usage.json_text import decoded, is_whole_text, may_hold_half_a_pair
from ingest.openai_usage.salvage import (
    Unreadable,
    dimensions_text,
    kind,
    salvage_bucket,
    shorten,
)
from ingest.openai_usage.wire import (
    PAGE_OBJECT,
    RESULT_OBJECT,
    UsageBucket,
    UsagePage,
    UsageResult,
)
from ingest.usage_rows import DimensionCodes, sent_rows

_BATCH_WORDS = {"true": True, "false": False}
# A result's fields in the order of UsageRow.
_OUR_DIMENSIONS = attrgetter(*DIMENSIONS)
_OUR_COUNTS = attrgetter(
    "num_model_requests",
    "input_tokens",
    "input_cached_tokens",
    "input_cache_write_tokens",
    "input_cache_write_30m_tokens",
    "input_cache_write_12h_tokens",
    "input_uncached_tokens",
    "output_tokens",
)
_OBJECT, _BATCH = attrgetter("object"), attrgetter("batch")
_BUCKET_FIELDS = {"start_time", "end_time", "results"}


class ReadPage(NamedTuple):
    """A page, read: its buckets in the order sent, and its cursor."""

    place: str  # "page 2"
    buckets: list[SentBucket]
    rejects: list[RejectedValue]  # of buckets that could not be read at all
    bucket_count: int  # as sent, the unreadable ones too
    has_more: bool | None  # None: not said
    next_page: str | None

    def cursor(self) -> str | None:
        """The cursor of the next page; None where the walk ends here.

        A page without buckets ends the walk even where it carries a cursor: the provider is known
        to send cursors past the end. Raises BadAnswer for `has_more` without a cursor.
        """
        if self.has_more and not self.next_page:
            raise BadAnswer(self.place, "has_more is true, but next_page holds no cursor")
        if self.has_more is False or not self.bucket_count:
            return None
        return self.next_page or None


def decode_page(body: bytes, place: str) -> ReadPage:
    """Read a page from its JSON. Raises BadAnswer where it is no page of completions usage."""
    # Rare, and no text of the database: only the slow way looks for it. To look for one byte first
    # takes a tenth of the time.
    if b"\\" in body and b"\\u0000" in body:
        return read_page(decode_json(body, place), place, look_closely=True)
    try:
        page = msgspec.json.decode(body, type=UsagePage)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return read_page(decode_json(body, place), place, look_closely=may_hold_half_a_pair(body))
    _check_object(page.object, place)
    codes = DimensionCodes()
    buckets = [_bucket(bucket, place, codes) for bucket in page.data]
    return ReadPage(place, buckets, [], len(buckets), page.has_more, page.next_page)


def decode_json(body: bytes, place: str) -> object:
    """Any JSON document. Raises BadAnswer where it is none."""
    if not body.strip():
        raise BadAnswer(place, "it is empty")
    try:
        return decoded(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadAnswer(place, f"not JSON: {error}") from None
    except RecursionError:
        raise BadAnswer(place, "not a usage page: it is nested too deeply") from None


def read_page(document: object, place: str, *, look_closely: bool = False) -> ReadPage:
    """Read a page from a decoded document.

    `look_closely` takes every bucket apart, in search of what structs do not check.
    Raises BadAnswer where it is no page of completions usage.
    """
    if not isinstance(document, dict):
        raise BadAnswer(place, f"not a usage page: it is {kind(document)}, not an object")
    if "error" in document and "data" not in document:
        raise BadAnswer(place, f"not a usage page but an error: {shorten(document['error'])}")
    _check_object(document.get("object"), place)
    if "data" not in document:
        raise BadAnswer(place, _without_data(document))
    has_more, next_page = document.get("has_more"), document.get("next_page")
    if not isinstance(has_more, bool | None):
        raise BadAnswer(place, f"has_more is {kind(has_more)}, not true or false")
    if not isinstance(next_page, str | None):
        raise BadAnswer(place, f"next_page is {kind(next_page)}, not a text")
    if next_page and not is_whole_text(next_page):
        raise BadAnswer(place, f"next_page is {shorten(next_page)}, which holds no whole character")
    sent = document["data"]
    buckets, rejects = read_buckets(sent, place, look_closely=look_closely)
    return ReadPage(place, buckets, rejects, len(sent), has_more, next_page)


def read_buckets(
    sent: object, place: str, *, look_closely: bool = False
) -> tuple[list[SentBucket], list[RejectedValue]]:
    """Read a decoded list of buckets. Raises BadAnswer where it is none."""
    if not isinstance(sent, list):
        raise BadAnswer(place, f"not a usage page: its data is {kind(sent)}, not a list of buckets")
    if sent and not any(is_bucket(item) for item in sent):
        raise BadAnswer(place, f"not a usage page: it holds no bucket but {shorten(sent[0])}")
    buckets: list[SentBucket] = []
    rejects: list[RejectedValue] = []
    codes = DimensionCodes()
    for number, item in enumerate(sent, 1):
        bucket = None if look_closely else _quickly(item, place, codes)
        if bucket is None:
            bucket = _salvaged(item, f"{place}, bucket {number}", place, rejects)
        if bucket is not None:
            buckets.append(bucket)
    return buckets, rejects


def is_bucket(item: object) -> bool:
    """Whether a decoded value has at least one field that only a bucket has."""
    return isinstance(item, dict) and not _BUCKET_FIELDS.isdisjoint(item)


def _without_data(document: dict[str, object]) -> str:
    if document.keys() & {"object", "has_more", "next_page"}:
        return "no data: a usage page holds its buckets under `data`"
    fields = ", ".join(list(document)[:5]) or "none"
    return f"not a usage page: it has no `data` (its fields: {shorten(fields)})"


def _check_object(name: object, place: str) -> None:
    if name is not None and name != PAGE_OBJECT:
        raise BadAnswer(place, f'not a usage page: its object is {shorten(name)}, not "page"')


def _quickly(item: object, place: str, codes: DimensionCodes) -> SentBucket | None:
    try:
        return _bucket(msgspec.convert(item, UsageBucket), place, codes)
    except msgspec.ValidationError:
        return None


def _bucket(bucket: UsageBucket, place: str, codes: DimensionCodes) -> SentBucket:
    return _sent_bucket(bucket.start_time, bucket.end_time, bucket.results, (), place, codes)


def _salvaged(
    item: object, numbered_place: str, place: str, rejects: list[RejectedValue]
) -> SentBucket | None:
    start_s, end_s, results, unreadable = salvage_bucket(item)
    if start_s is not None and end_s is not None and results is not None:
        return _sent_bucket(start_s, end_s, results, unreadable, place, DimensionCodes())
    hour = None if start_s is None else start_s // SECONDS_PER_HOUR
    where = numbered_place if start_s is None else f"{place}, bucket {utc_text(start_s)}"
    rejects.extend(
        RejectedValue(hour, "", value.field, where, value.reason, shorten(value.sent))
        for value in unreadable
        if value.row is None
    )
    return None


def _sent_bucket(
    start_s: int,
    end_s: int,
    results: Sequence[UsageResult | None],
    unreadable: Sequence[Unreadable],
    place: str,
    codes: DimensionCodes,
) -> SentBucket:
    where = f"{place}, bucket {utc_text(start_s)}"
    hour = start_s // SECONDS_PER_HOUR
    rejects = [_reject(hour, value, where) for value in unreadable]
    placed = [result for result in results if result is not None]
    if set(map(_OBJECT, placed)) - {RESULT_OBJECT}:
        _check_results(placed, where)
    if not set(map(type, map(_BATCH, placed))) <= {bool, type(None)}:
        rejects.extend(_bad_batches(hour, results, where))
    rows = sent_rows(hour, placed, _OUR_DIMENSIONS, _OUR_COUNTS, codes)
    return SentBucket(start_s, end_s, rows, rejects, len(results) - len(rows), where)


def _check_results(results: Sequence[UsageResult], where: str) -> None:
    for name in map(_OBJECT, results):
        if name not in (None, RESULT_OBJECT):
            raise BadAnswer(where, f"not a usage page of completions: it holds {shorten(name)}")


def _bad_batches(
    hour: int, results: Sequence[UsageResult | None], where: str
) -> Iterator[RejectedValue]:
    """Put true and false in the place of their words, and refuse other texts."""
    for number, result in enumerate(results, 1):
        if result is not None and isinstance(result.batch, str):
            yield from _bad_batch(hour, number, result, where)
            result.batch = _BATCH_WORDS.get(result.batch.lower())


def _bad_batch(hour: int, number: int, result: UsageResult, where: str) -> list[RejectedValue]:
    if str(result.batch).lower() in _BATCH_WORDS:
        return []
    names = dimensions_text(msgspec.structs.asdict(result) | {"batch": None})
    reason = "it is a text other than true and false"
    return [_reject(hour, Unreadable(number, "batch", reason, result.batch, names), where)]


def _reject(hour: int, value: Unreadable, where: str) -> RejectedValue:
    place = where if value.row is None else f"{where}, row {value.row}"
    sent = shorten(value.sent)
    return RejectedValue(hour, value.dimensions, value.field, place, value.reason, sent)
