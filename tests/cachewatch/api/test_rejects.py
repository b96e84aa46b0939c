"""Rejected rows over HTTP, in the words in which the reader wrote them."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from cachewatch.api.rejects import RejectedRow
from ingest.models import Source
from ingest.normalise import UsageMerge
from ingest.openai_usage.page import decode_page
from ingest.store import store_usage
from tests.cachewatch.people import Caller
from tests.factories import make_run

HOUR_START = datetime(2026, 11, 25, 7, tzinfo=UTC)


def page_with_a_text_for_a_number() -> bytes:
    good = {
        "object": "organization.usage.completions.result",
        "project_id": "proj_rag",
        "model": "gpt-5.4",
        "num_model_requests": 1,
        "input_tokens": 2000,
        "output_tokens": 10,
        "input_cached_tokens": 0,
    }
    start_s = int(HOUR_START.timestamp())
    bucket = {
        "object": "bucket",
        "start_time": start_s,
        "end_time": start_s + 3600,
        "results": [good, good, good, good | {"input_cached_tokens": "12k"}],
    }
    page = {"object": "page", "data": [bucket], "has_more": False, "next_page": None}
    return json.dumps(page).encode()


def test_the_example_of_the_documentation_is_what_such_an_answer_gives(
    owner: Caller, acme: Source
) -> None:
    merge = UsageMerge()
    merge.add(decode_page(page_with_a_text_for_a_number(), "page 2").buckets)
    store_usage(acme, merge.finish(), run=make_run(acme), grouping=(), now=HOUR_START)
    (row,) = owner.get("/rejects").json()["items"]
    (example,) = RejectedRow.model_config["json_schema_extra"]["examples"]  # type: ignore[call-overload, index]
    for name in ("source", "hour", "dimensions", "field", "place", "reason", "sent"):
        assert row[name] == example[name]
