"""Logs that are known and cannot be imported: what they hold are sums, not requests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from ingest.request_logs.parsing import LogFormat, Parser
from ingest.request_logs.record import Record
from ingest.request_logs.rows import LeftOut, Outcome

_ENGINE = re.compile(
    rb"Prefix cache hit rate|Avg prompt throughput|vllm:prefix_cache_|cache hit rate:"
)
ENGINE_LOG = (
    "it is the log of an inference engine (vLLM), whose cache hit rate is an average over all "
    "requests: an aggregate says nothing about single requests. Log the usage object of each answer "
    "instead (vLLM reports cached_tokens with --enable-prompt-tokens-details)"
)
# How files begin that hold a log in another packing, and what they are called.
_PACKINGS = (
    (b"PK\x03\x04", "a zip archive"),
    (b"BZh", "packed with bzip2"),
    (b"\xfd7zXZ", "packed with xz"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3", "an SQLite database"),
)
_TAR_MARK, _TAR_MARK_AT = b"ustar", 257
_SUMS = ("num_model_requests", "api_requests", "request_count", "total_requests", "requests")


def is_engine_log(head: bytes) -> bool:
    """Whether a text holds the log lines or metrics of an inference engine."""
    return _ENGINE.search(head) is not None


def packing_of(head: bytes) -> str | None:
    """Why a text cannot be read as it is packed or written, and what to do; None where it can be."""
    named = next((name for mark, name in _PACKINGS if head.startswith(mark)), None)
    if head[_TAR_MARK_AT:].startswith(_TAR_MARK):
        named = "a tar archive"
    if named is not None:
        return f"it is {named}: give the log itself as JSON lines or CSV, plain or gzip"
    if len(head) > 3 and head[1] == head[3] == 0 and head[0] and head[2]:
        return "it is UTF-16 without a byte order mark: write it as UTF-8"
    return None


def _usage_page(values: Mapping[str, object]) -> str | None:
    kind = values.get("object")
    if kind in ("page", "bucket") or (
        isinstance(kind, str) and kind.startswith("organization.usage.")
    ):
        return f'its records say "object": "{kind}"'
    return None


def _sums(values: Mapping[str, object]) -> str | None:
    found = sum_column(values)
    return None if found is None else f"its rows have the column {found}"


def sum_column(values: Mapping[str, object]) -> str | None:
    """The column that says of how many requests a row is the sum."""
    for name in _SUMS:
        if isinstance(values.get(name), int | float | str) and values[name] not in (1, "1"):
            return name
    return None


class _Refused(Parser):
    """Never reached by detection, which refuses first; where the format is named, all is left out."""

    def parse(self, record: Record) -> Iterator[Outcome]:
        """The record, left out."""
        yield LeftOut(record.where, "session-total")


def _refused(
    name: str,
    title: str,
    recognise: Callable[[Mapping[str, object]], str | None],
    refusal: str,
) -> LogFormat:
    return LogFormat(
        name=name,
        title=title,
        recognise=recognise,
        parser=_Refused,
        cached="inside",
        counts="cumulative: sums over many requests, refused",
        identity="none",
        time="none",
        not_reported="none",
        refusal=refusal,
    )


USAGE_PAGES = _refused(
    "usage-pages",
    "Pages of the usage API",
    _usage_page,
    "it holds hours of the usage API, sums over many requests: read it with cachewatch diagnose",
)
SUMS = _refused(
    "sums",
    "Daily or hourly sums",
    _sums,
    "each of its rows is a sum over many requests, and says nothing about single ones: give a log "
    "with one row a request",
)
