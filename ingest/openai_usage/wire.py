"""The JSON of the usage API, as sent. Unknown fields are passed over.

Field names and meanings: GET /v1/organization/usage/completions of the provider's API reference
(November 2026, openai-python 3.57.0).
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

PAGE_OBJECT = "page"
RESULT_OBJECT: Final = "organization.usage.completions.result"

MOST_TOKENS = 2**53  # beyond it a JSON number is no longer exact: no real count is that large
LAST_SECOND = 253_402_300_799  # 9999-12-31T23:59:59Z, the last that a date can hold
LONGEST_ID = 200  # characters; these three are what a column of the database holds
LONGEST_MODEL = 300
LONGEST_TIER = 64
LONGEST_NAME = 300  # of a project or a key

Count = Annotated[int, Meta(ge=0, le=MOST_TOKENS)]
Seconds = Annotated[int, Meta(ge=0, le=LAST_SECOND)]
Id = Annotated[str, Meta(max_length=LONGEST_ID)]
ModelName = Annotated[str, Meta(max_length=LONGEST_MODEL)]
TierName = Annotated[str, Meta(max_length=LONGEST_TIER)]


class UsageResult(Struct, gc=False):
    """Usage of one combination of dimensions in one bucket. None = null or absent."""

    # The one name that there is: a text made for every row takes a fifth of the time of decoding.
    # Another name is refused by the slow way (salvage), with its place.
    object: Literal["organization.usage.completions.result"] | None = None
    project_id: Id | None = None
    model: ModelName | None = None
    api_key_id: Id | None = None
    service_tier: TierName | None = None
    batch: bool | str | None = None  # seen as true, "true" and null
    num_model_requests: Count | None = None
    input_tokens: Count | None = None  # total: cached and cache-write tokens are part of it
    input_cached_tokens: Count | None = None
    input_cache_write_tokens: Count | None = None  # total of both retention periods
    input_cache_write_30m_tokens: Count | None = None
    input_cache_write_12h_tokens: Count | None = None
    input_uncached_tokens: Count | None = None  # without cached and without cache-write tokens
    output_tokens: Count | None = None


class UsageBucket(Struct):
    """A half-open span of time and its results; idle time has `results: []`."""

    start_time: Seconds
    end_time: Seconds
    results: list[UsageResult]


class UsagePage(Struct):
    """One page of buckets, and the cursor of the next."""

    data: list[UsageBucket]
    object: str | None = None
    has_more: bool | None = None
    next_page: str | None = None


class ListPage(Struct):
    """One page of a list endpoint (projects, API keys); rows are read one by one."""

    data: list[object]
    has_more: bool | None = None
    last_id: str | None = None


class ProjectSent(Struct):
    """A project of the organization. Only the id has to be right: the name is for people."""

    id: Id
    name: object = None  # str | None
    status: object = None  # active, archived


class ApiKeySent(Struct):
    """An API key of a project; never the key itself. Likewise."""

    id: Id
    name: object = None
