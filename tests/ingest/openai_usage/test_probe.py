"""What a key may read and how far back, in one sentence."""

from __future__ import annotations

from datetime import UTC, datetime

import httpx

from ingest.openai_usage.probe import ProbeResult
from tests.ingest.openai_usage.provider import (
    ADMIN_KEY,
    NOW_S,
    Answer,
    Script,
    answer,
    client,
    error,
    page,
)

NOW = datetime.fromtimestamp(NOW_S, UTC)
NOW_HOUR = NOW_S // 3_600
EMPTY = answer(page())
PROJECTS = answer({"object": "list", "data": []})
TOO_OLD = error(400, "Too old.", "reporting_lookback_exceeded")


def probe(*answers: Answer, admin_key: str = ADMIN_KEY) -> tuple[ProbeResult, Script]:
    play = Script(answers)
    with client(play, admin_key=admin_key) as usage:
        return usage.probe(NOW), play


def test_a_key_with_both_scopes_and_a_named_lookback() -> None:
    message = "Earliest supported start date: 2025-10-08 (UTC)."
    dated = error(400, message, "reporting_lookback_exceeded")
    found, play = probe(EMPTY, PROJECTS, dated)
    assert found.scopes == {"api.usage.read": "granted", "api.management.read": "granted"}
    assert (found.lookback_hour, found.lookback_is_limit) == (488_856, True)
    assert found.code is None
    assert found.sentence == (
        "The key reads usage, and the names of projects and keys; "
        "usage is kept from 2025-10-08T00:00Z."
    )
    assert play.queries[0] == {
        "start_time": str((NOW_HOUR - 1) * 3_600),
        "end_time": str(NOW_HOUR * 3_600),
        "bucket_width": "1h",
        "limit": "1",
    }


def test_a_lookback_that_is_not_named_is_found_by_steps() -> None:
    found, play = probe(EMPTY, PROJECTS, TOO_OLD, TOO_OLD, EMPTY)
    assert found.lookback_hour == NOW_HOUR - 180 * 24
    assert found.lookback_is_limit
    assert len(play.requests) == 5


def test_a_provider_that_refuses_no_start_keeps_at_least_two_years() -> None:
    found, _ = probe(EMPTY, PROJECTS, EMPTY)
    assert (found.lookback_hour, found.lookback_is_limit) == (NOW_HOUR - 730 * 24, False)
    assert "usage is kept at least from" in found.sentence


def test_a_lookback_that_cannot_be_found_out_is_unknown() -> None:
    found, _ = probe(EMPTY, PROJECTS, *[TOO_OLD] * 6)
    assert (found.usage, found.lookback_hour) == ("granted", None)
    assert found.sentence.endswith("how far back usage is kept could not be found out.")


def test_a_key_without_the_management_scope_still_reads_usage() -> None:
    missing = answer({"error": "Missing scopes: api.management.read."}, 403)
    found, _ = probe(EMPTY, missing, EMPTY)
    assert (found.usage, found.management, found.code) == ("granted", "missing", None)
    assert "because it lacks the scope api.management.read" in found.sentence


def test_a_key_without_the_usage_scope_is_told_which_scope() -> None:
    found, _ = probe(answer({"error": "Missing scopes: api.usage.read."}, 403), PROJECTS)
    assert (found.usage, found.management) == ("missing", "granted")
    assert (found.code, found.lookback_hour) == ("scope_missing", None)
    assert found.sentence.startswith("The key lacks the scope api.usage.read")


def test_a_wrong_key_has_neither_scope() -> None:
    found, play = probe(error(401, "Incorrect API key provided.", "invalid_api_key"))
    assert (found.usage, found.management, found.code) == ("missing", "missing", "key_rejected")
    assert len(play.requests) == 1


def test_a_provider_that_is_down_says_nothing_about_the_key() -> None:
    found, _ = probe(*[httpx.ConnectError("refused")] * 3)
    assert (found.usage, found.management, found.code) == ("unknown", "unknown", "provider_failed")


def test_names_that_cannot_be_asked_for_just_now_are_unknown() -> None:
    found, _ = probe(EMPTY, *[error(500, "oops")] * 3, EMPTY)
    assert found.management == "unknown"
    assert "could not be asked" in found.sentence


def test_a_web_page_at_the_address_is_no_usage_api() -> None:
    found, _ = probe(httpx.Response(200, html="<html></html>"))
    assert (found.usage, found.code) == ("unknown", "bad_answer")
