"""Names, costs, keys and faults of the simulated organization."""

from __future__ import annotations

import json

import pytest

from ingest.simulator.api import Call

from .conftest import ANCHOR_HOUR, COMPLETIONS

NOW = ANCHOR_HOUR * 3600
PROJECTS = "/v1/organization/projects"
COSTS = "/v1/organization/costs"
FAULTS = "/_simulator/faults"


def test_projects_are_listed_in_pages_without_the_archived_one(api):
    names, after = [], {}
    while True:
        page = api.json(PROJECTS, limit=8, **after)
        names += [row["name"] for row in page["data"]]
        assert (page["first_id"], page["last_id"]) == (
            page["data"][0]["id"],
            page["data"][-1]["id"],
        )
        if not page["has_more"]:
            break
        after = {"after": page["last_id"]}
    assert len(names) == len(set(names)) == 21
    assert "rag-answer" in names
    assert "legacy-chat" not in names


def test_an_archived_project_is_listed_when_asked_for_and_its_keys_are_refused(api):
    page = api.json(PROJECTS, limit=100, include_archived="true")
    archived = [row for row in page["data"] if row["status"] == "archived"]
    assert [row["name"] for row in archived] == ["legacy-chat"]
    assert archived[0]["archived_at"] == NOW - 21 * 86400
    status, error = api.error(f"{PROJECTS}/{archived[0]['id']}/api_keys")
    assert (status, error["message"]) == (400, "Project 'proj_legacyCht21' is archived.")


def test_one_project_can_be_read_and_an_unknown_one_is_404(api):
    assert api.json(f"{PROJECTS}/proj_ragAnswer01")["name"] == "rag-answer"
    assert api.error(f"{PROJECTS}/proj_unknown")[0] == 404


def test_keys_of_owners_without_access_are_hidden_unless_asked_for(api):
    path = f"{PROJECTS}/proj_knowledge15/api_keys"
    assert [row["id"] for row in api.json(path)["data"]] == ["key_kbReindex"]
    rows = api.json(path, owner_project_access="any")["data"]
    assert [row["owner"]["type"] for row in rows] == ["service_account", "user"]


def test_every_key_and_project_with_usage_has_a_name(api):
    page = api.completions(
        start_time=NOW - 86400, bucket_width="1d", group_by=["project_id", "api_key_id"]
    )
    used = {(row["project_id"], row["api_key_id"]) for row in page["data"][0]["results"]}
    named = {
        (project["id"], key["id"])
        for project in api.json(PROJECTS, limit=100)["data"]
        for key in api.json(f"{PROJECTS}/{project['id']}/api_keys", owner_project_access="any")[
            "data"
        ]
    }
    assert used - named == {(None, None)}


def test_admin_keys_are_listed_in_either_order(api):
    ascending = api.json("/v1/organization/admin_api_keys")["data"]
    descending = api.json("/v1/organization/admin_api_keys", order="desc")["data"]
    assert ascending == descending[::-1]


def costs(api, **parameters):
    page = api.json(COSTS, start_time=NOW - 3 * 86400, **parameters)
    return [row for bucket in page["data"] for row in bucket["results"]]


def test_costs_are_the_tokens_of_the_day_at_list_prices(api):
    rows = costs(api, group_by=["project_id", "line_item"], project_ids="proj_agentRuns12")
    day = next(row for row in rows if row["line_item"] == "gpt-5.6-terra, cached input")
    used = api.completions(
        start_time=NOW - 3 * 86400, bucket_width="1d", project_ids="proj_agentRuns12"
    )["data"][0]["results"][0]
    assert day["quantity"] == used["input_cached_tokens"]
    assert day["quantity_unit"] == "tokens"
    assert day["amount"] == {"value": round(day["quantity"] * 0.20 / 1e6, 10), "currency": "usd"}
    assert {row["line_item"] for row in rows} == {
        "gpt-5.6-terra, input",
        "gpt-5.6-terra, cached input",
        "gpt-5.6-terra, cache writes",
        "gpt-5.6-terra, output",
    }


def test_costs_add_up_under_every_grouping(api):
    total = sum(row["amount"]["value"] for row in costs(api))
    assert total > 1000.0
    for grouping in (["project_id"], ["line_item"], ["project_id", "line_item"], ["api_key_id"]):
        grouped = sum(row["amount"]["value"] for row in costs(api, group_by=grouping))
        assert grouped == pytest.approx(total)


def test_costs_can_be_filtered_by_line_item(api):
    rows = costs(api, group_by="line_item", line_items=["gpt-5.6-luna, cache writes"])
    assert {row["line_item"] for row in rows} == {"gpt-5.6-luna, cache writes"}


@pytest.mark.parametrize(
    "parameters",
    [
        {"group_by": ["project_id", "user_id"]},
        {"group_by": "model"},
        {"limit": 181},
        {"bucket_width": "1h"},
    ],
)
def test_what_costs_cannot_do_is_refused(api, parameters):
    assert api.error(COSTS, start_time=NOW - 86400, **parameters)[0] == 400


def hourly(api, key):
    return api.answer(COMPLETIONS, key, start_time=NOW - 3600, bucket_width="1h")


def test_a_wrong_key_and_a_missing_one_are_401(api):
    assert api.error(COMPLETIONS, "sk-admin-wrong", start_time=NOW - 3600)[0] == 401
    assert api.error(COMPLETIONS, "", start_time=NOW - 3600)[0] == 401


def test_a_project_key_lacks_its_scope_in_a_bare_string(api):
    status, error = api.error(COMPLETIONS, "sk-proj-abc", start_time=NOW - 3600)
    assert status == 403
    assert "Missing scopes: api.usage.read." in error
    assert "Missing scopes: api.management.read." in api.error(PROJECTS, "sk-proj-abc")[1]


def test_a_key_can_hold_one_scope_without_the_other(api):
    assert hourly(api, "sk-admin-demo-usage-only").status == 200
    assert api.error(PROJECTS, "sk-admin-demo-usage-only")[0] == 403
    assert hourly(api, "sk-admin-demo-management-only").status == 403
    assert api.answer(PROJECTS, "sk-admin-demo-management-only").status == 200


def test_every_third_call_of_the_limited_key_is_429_with_a_wait(api):
    answers = [hourly(api, "sk-admin-demo-429") for _ in range(6)]
    assert [answer.status for answer in answers] == [200, 200, 429] * 2
    assert answers[2].headers == {"Retry-After": "1"}


def test_keys_made_to_fail_fail(api):
    assert [hourly(api, "sk-admin-demo-flaky").status for _ in range(3)] == [200, 200, 500]
    assert hourly(api, "sk-admin-demo-500").status == 500
    assert hourly(api, "sk-admin-demo-401").status == 401
    assert hourly(api, "sk-admin-demo-403").status == 403


def test_a_key_with_a_short_lookback_names_its_own_earliest_date(api):
    _, error = api.error(COMPLETIONS, "sk-admin-demo-30-days", start_time=NOW - 40 * 86400)
    assert "2026-10-30" in error["message"]


def test_one_refused_dimension_refuses_the_whole_call(api):
    status, error = api.error(
        COMPLETIONS,
        "sk-admin-demo-no-key-grouping",
        start_time=NOW - 3600,
        group_by=["project_id", "api_key_id"],
    )
    assert (status, error["param"]) == (400, "group_by")


def control(api, method, document=None):
    body = json.dumps(document).encode() if document is not None else b""
    answer = api.api.answer(Call(method, FAULTS, {}, body))
    return answer.status, json.loads(answer.body)


def test_a_fault_strikes_as_often_as_it_was_told_to_and_only_its_path(api):
    fault = {"path": COMPLETIONS, "status": 503, "times": 2, "retry_after": 7}
    assert control(api, "POST", fault)[0] == 200
    assert api.answer(PROJECTS).status == 200
    answers = [hourly(api, "sk-admin-demo") for _ in range(3)]
    assert [answer.status for answer in answers] == [503, 503, 200]
    assert answers[0].headers == {"Retry-After": "7"}


def test_a_fault_can_send_any_body(api):
    body = '{"object":"page","data":[],"has_more":true,"next_page":null}'
    control(api, "POST", {"path": COMPLETIONS, "status": 200, "body": body})
    assert hourly(api, "sk-admin-demo").body == body.encode()


def test_faults_can_be_listed_and_cleared(api):
    control(api, "POST", {"path": COSTS, "status": 500, "times": 9})
    assert control(api, "GET")[1]["faults"][0]["times"] == 9
    assert control(api, "DELETE") == (200, {"faults": []})


FAULT_WORDS = {
    "path": "path must be the beginning of a path, such as /v1",
    "status": "status must be null or between 200 and 599",
    "times": "times must be from 1 to 1000000",
    "retry_after": "retry_after must be null or whole seconds from 0 to 86400",
    "delay_seconds": "delay_seconds must be seconds from 0 to 600",
    "body": "body must be null or text",
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("status", 99),
        ("status", "x"),
        ("status", 503.0),
        ("status", True),
        ("times", 0),
        ("times", None),
        ("times", "2"),
        ("times", 10**30),
        ("delay_seconds", -1),
        ("delay_seconds", float("nan")),
        ("delay_seconds", "1"),
        ("delay_seconds", False),
        ("retry_after", "1\r\nSet-Cookie: x=1"),
        ("retry_after", "1"),
        ("retry_after", -1),
        ("retry_after", 10**30),
        ("retry_after", [1]),
        ("path", None),
        ("path", 5),
        ("path", "/v1\ud800"),
        ("body", 5),
        ("body", {}),
        ("body", "\ud800"),
    ],
)
def test_a_fault_of_odd_values_is_refused_in_words_and_strikes_nothing(api, name, value):
    status, answer = control(api, "POST", {name: value})
    assert (status, answer["error"]["message"]) == (
        400,
        f"Cannot read the request: {FAULT_WORDS[name]}",
    )
    assert control(api, "GET") == (200, {"faults": []})


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"null", b"5", b'{"colour": 1}', b"{", b"\xff\xfe\x00", b"[" * 100_000],
)
def test_what_is_no_fault_is_refused_in_words(api, body):
    answer = api.api.answer(Call("POST", FAULTS, {}, body))
    assert answer.status == 400
    assert json.loads(answer.body)["error"]["message"].startswith("Cannot read the request: ")


@pytest.mark.parametrize("path", ["/", "/v1", "/v1/organization/usage/colours", "/_simulator/x"])
def test_an_unknown_path_is_404(api, path):
    assert api.answer(path).status == 404


def test_nothing_can_be_written(api):
    headers = {"authorization": "Bearer sk-admin-demo"}
    assert api.api.answer(Call("POST", PROJECTS, headers)).status == 405
