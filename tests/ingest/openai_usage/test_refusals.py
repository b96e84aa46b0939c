"""Each refusal becomes one sentence that says what to do."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import httpx
import pytest

from ingest.openai_usage import errors
from ingest.openai_usage.errors import (
    BadAnswer,
    GroupingRefused,
    KeyRejected,
    LimitRefused,
    LookbackExceeded,
    ProviderFailed,
    RateLimited,
    RequestRefused,
    ScopeMissing,
    UsageError,
)
from tests.ingest.openai_usage.provider import ADMIN_KEY, HOUR, Script, answer, client, error

ERROR_BODIES = Path(__file__).parents[4] / "shared" / "data" / "usage" / "error_bodies.json"
MISSING = (
    "You have insufficient permissions for this operation. Missing scopes: api.usage.read. "
    "Check that you have the correct role in your organization (Reader, Writer, Owner)."
)


def refusal(response: httpx.Response, admin_key: str = ADMIN_KEY) -> UsageError:
    with (
        client(Script([response] * 3), admin_key=admin_key) as usage,
        pytest.raises(UsageError) as caught,
    ):
        usage.walk_hours(HOUR, HOUR + 1)
    return caught.value


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize("body", [{"error": MISSING}, {"error": {"message": MISSING}}])
def test_a_missing_scope_is_named_in_either_shape(status: int, body: Any) -> None:
    problem = refusal(answer(body, status))
    assert isinstance(problem, ScopeMissing)
    assert problem.scopes == ("api.usage.read",)
    assert problem.sentence == (
        "The key lacks the scope api.usage.read: make an admin key of the organization "
        "(sk-admin-...) that has it at platform.openai.com/settings/organization/admin-keys; "
        "adding it to an existing key may not work."
    )


def test_several_missing_scopes_are_all_named() -> None:
    problem = refusal(answer({"error": "Missing scopes: api.usage.read, api.model.read."}, 403))
    assert isinstance(problem, ScopeMissing)
    assert problem.scopes == ("api.usage.read", "api.model.read")


@pytest.mark.parametrize("body", [b"", b"{}", b'{"error": {}}', b"null", b"\xff\xfe"])
def test_a_403_without_words_names_the_scope_that_is_needed(body: bytes) -> None:
    problem = refusal(httpx.Response(403, content=body))
    assert isinstance(problem, ScopeMissing)
    assert problem.scopes == ("api.usage.read",)


def test_a_wrong_key_is_told_from_a_missing_scope() -> None:
    problem = refusal(error(401, "Incorrect API key provided: sk-ad***ef.", "invalid_api_key"))
    assert isinstance(problem, KeyRejected)
    assert problem.sentence == (
        "The provider does not accept this key (401): it is wrong, revoked or expired; an admin "
        "key of the organization (sk-admin-...) with the scope api.usage.read is needed."
    )


@pytest.mark.parametrize(
    ("key", "kind"),
    [("sk-proj-abc", "a project key"), ("sk-svcacct-abc", "a service account key")],
)
@pytest.mark.parametrize("status", [401, 403])
def test_a_key_of_another_kind_is_told_by_its_kind(key: str, kind: str, status: int) -> None:
    problem = refusal(answer({"error": MISSING}, status), admin_key=key)
    assert isinstance(problem, KeyRejected)
    assert problem.sentence == (
        f"This is {kind}, and only an admin key of the organization (sk-admin-...) with the scope "
        "api.usage.read can read this: make one at "
        "platform.openai.com/settings/organization/admin-keys."
    )


@pytest.mark.parametrize(
    "body", [b"<html>Blocked</html>", b'{"error":{"message":"Country not supported"}}']
)
def test_a_403_about_the_place_does_not_blame_the_key(body: bytes) -> None:
    problem = refusal(httpx.Response(403, content=body))
    assert type(problem) is RequestRefused
    assert problem.sentence.startswith("Access from here was refused (403")


@pytest.mark.parametrize("status", [500, 502, 503, 529])
@pytest.mark.parametrize("message", ["Incorrect API key provided", MISSING, ""])
def test_a_5xx_is_never_reported_as_a_bad_key(status: int, message: str) -> None:
    problem = refusal(error(status, message))
    assert type(problem) is ProviderFailed
    assert problem.sentence.endswith("the key is not the cause.")


def test_nothing_at_the_address_points_to_the_base_url() -> None:
    problem = refusal(httpx.Response(404, text="Not Found"))
    assert problem.sentence.endswith("as https://api.openai.com/v1 does.")


def test_a_long_message_is_cut_and_keys_in_it_are_taken_out() -> None:
    problem = refusal(error(400, f"key sk-svcacct-Ab*…cd {ADMIN_KEY} " + "x" * 500))
    assert problem.sentence.startswith("The provider refused the request (400: key sk-... ")
    assert len(problem.sentence) < 260


@pytest.mark.parametrize(
    ("message", "dimension"),
    [
        ("Unsupported group_by value: service_tier", "service_tier"),
        ("'batch' is not one of the supported values for group_by", "batch"),
        ("api_key_id is only available from epoch 1764979200", "api_key_id"),
        (
            "Invalid group_by. Supported values are: project_id, model, batch, api_key_id.",
            "service_tier",
        ),
        ("Invalid group_by. Must be one of project_id, user_id, model.", None),
        ("group_by: batch with service_tier is refused", None),
        ("This grouping is not possible.", None),
        ("Unsupported value: 'batch'.", "batch"),
        ("service_tier is not supported for this organization", "service_tier"),
    ],
)
def test_the_refused_dimension_is_read_from_the_message(
    message: str, dimension: str | None
) -> None:
    problem = refusal(error(400, message))
    assert isinstance(problem, GroupingRefused)
    assert problem.dimension == dimension


@pytest.mark.parametrize(
    "message",
    [
        "Too large a batch of hours was asked for.",
        "Usage of the Batch API is not available here.",
        "Your organization has reached its spending limit.",
        "You exceeded the limit of 5 reports at once.",
        "Invalid start_time parameter",
    ],
)
def test_a_400_that_speaks_of_something_else_changes_neither_grouping_nor_page_size(
    message: str,
) -> None:
    problem = refusal(error(400, message))
    assert type(problem) is RequestRefused
    assert message.rstrip(".") in problem.sentence


@pytest.mark.parametrize(
    ("message", "maximum"),
    [
        ("Invalid limit provided: 366. Limit must be less than or equal to 180.", 180),
        ("Invalid 'limit': integer above maximum value. Expected a value at most 168.", 168),
        ("Unknown value for parameter limit", None),
    ],
)
def test_a_refused_page_size_is_told_by_the_name_of_its_parameter(
    message: str, maximum: int | None
) -> None:
    problem = refusal(error(400, message))
    assert isinstance(problem, LimitRefused)
    assert problem.maximum == maximum


def real_wordings() -> list[dict[str, Any]]:
    if not ERROR_BODIES.exists():
        pytest.skip("shared/data/usage/error_bodies.json is not beside this project")
    wordings: list[dict[str, Any]] = json.loads(ERROR_BODIES.read_text())
    return wordings


def test_real_wordings_become_the_right_errors() -> None:
    kinds = [
        (type(problem), getattr(problem, "scopes", None))
        for problem in (refusal(answer(w["body"], w["status"])) for w in real_wordings())
    ]
    assert kinds == [
        (KeyRejected, None),
        (ScopeMissing, ("api.usage.read",)),
        (ScopeMissing, ("api.model.read",)),
        (LookbackExceeded, None),
        (LimitRefused, None),
        (RequestRefused, None),
        (RateLimited, None),
        (RequestRefused, None),
    ]


def test_every_error_survives_the_way_between_processes() -> None:
    samples = [
        UsageError("no", retry_after_s=3.0),
        ScopeMissing("no", ("api.usage.read",)),
        GroupingRefused("no", "batch"),
        LimitRefused("no", 168),
        LookbackExceeded("no", HOUR),
        BadAnswer("page 1", "no data"),
    ]
    for sample in samples:
        copy = pickle.loads(pickle.dumps(sample))
        assert (type(copy), str(copy), vars(copy)) == (type(sample), str(sample), vars(sample))


def test_every_error_has_a_code_of_its_own() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    codes = [kind.code for kind in kinds if issubclass(kind, UsageError)]
    assert len(codes) == len(set(codes)) == 13
