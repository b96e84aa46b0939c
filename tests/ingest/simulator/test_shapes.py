"""The fields of every answer and their types, stated here again by hand."""

from __future__ import annotations

import pytest

from .conftest import ANCHOR_HOUR, COMPLETIONS

NOW = ANCHOR_HOUR * 3600
TEXT, WHOLE, NULL = str, int, type(None)

COMPLETIONS_ROW = {
    "object": (TEXT,),
    **dict.fromkeys(
        [
            "input_tokens",
            "input_cached_tokens",
            "input_cache_write_tokens",
            "input_cache_write_30m_tokens",
            "input_cache_write_12h_tokens",
            "input_uncached_tokens",
            "output_tokens",
            "input_text_tokens",
            "output_text_tokens",
            "input_cached_text_tokens",
            "input_audio_tokens",
            "input_cached_audio_tokens",
            "output_audio_tokens",
            "input_image_tokens",
            "input_cached_image_tokens",
            "output_image_tokens",
            "num_model_requests",
        ],
        (WHOLE,),
    ),
    "project_id": (TEXT, NULL),
    "user_id": (TEXT, NULL),
    "api_key_id": (TEXT, NULL),
    "model": (TEXT,),
    "batch": (bool,),
    "service_tier": (TEXT,),
    "api_source": (TEXT,),
}
COSTS_ROW = {
    "object": (TEXT,),
    "amount": (dict,),
    "project_id": (TEXT, NULL),
    "line_item": (TEXT,),
    "api_key_id": (NULL,),
    "user_id": (NULL,),
    "api_source": (NULL,),
    "quantity": (WHOLE,),
    "quantity_unit": (TEXT,),
}
PROJECT = {
    "id": (TEXT,),
    "object": (TEXT,),
    "name": (TEXT,),
    "created_at": (WHOLE,),
    "archived_at": (WHOLE, NULL),
    "status": (TEXT,),
    "external_key_id": (NULL,),
}
API_KEY = {
    "object": (TEXT,),
    "id": (TEXT,),
    "name": (TEXT,),
    "redacted_value": (TEXT,),
    "created_at": (WHOLE,),
    "last_used_at": (NULL,),
    "owner_project_access": (TEXT,),
    "owner": (dict,),
}
ADMIN_KEY = {
    **API_KEY,
    "expires_at": (NULL,),
}
del ADMIN_KEY["owner_project_access"]


def assert_shape(row, shape):
    """Exactly these fields, each of one of its types (true is no number)."""
    assert set(row) == set(shape)
    for name, types in shape.items():
        assert type(row[name]) in types, (name, row[name])


def assert_page(page):
    assert_shape(
        page, {"object": (TEXT,), "data": (list,), "has_more": (bool,), "next_page": (TEXT, NULL)}
    )
    assert page["object"] == "page"
    assert page["has_more"] is (page["next_page"] is not None)
    for bucket in page["data"]:
        assert_shape(
            bucket,
            {"object": (TEXT,), "start_time": (WHOLE,), "end_time": (WHOLE,), "results": (list,)},
        )
        assert bucket["object"] == "bucket"


def assert_list(page, shape, kind):
    assert_shape(
        page,
        {
            "object": (TEXT,),
            "data": (list,),
            "first_id": (TEXT, NULL),
            "last_id": (TEXT, NULL),
            "has_more": (bool,),
        },
    )
    assert page["object"] == "list"
    assert page["data"] != []
    for row in page["data"]:
        assert_shape(row, shape)
        assert row["object"] == kind


@pytest.mark.parametrize(("width", "limit"), [("1m", 61), ("1h", 30), ("1d", 2)])
def test_a_page_of_completions(api, width, limit):
    grouping = ["project_id", "user_id", "api_key_id", "model", "batch", "service_tier"]
    page = api.completions(
        start_time=NOW - 90_000,
        bucket_width=width,
        limit=limit,
        group_by=[*grouping, "api_source"],
    )
    assert_page(page)
    for bucket in page["data"]:
        assert bucket["results"] != []
        for row in bucket["results"]:
            assert_shape(row, COMPLETIONS_ROW)
            assert row["object"] == "organization.usage.completions.result"


def test_a_page_of_costs(api):
    page = api.json(
        "/v1/organization/costs", start_time=NOW - 90_000, group_by=["project_id", "line_item"]
    )
    assert_page(page)
    for bucket in page["data"]:
        assert bucket["results"] != []
        for row in bucket["results"]:
            assert_shape(row, COSTS_ROW)
            assert_shape(row["amount"], {"value": (float,), "currency": (TEXT,)})
            assert row["object"] == "organization.costs.result"


def test_the_lists_of_names(api):
    projects = api.json("/v1/organization/projects", include_archived="true", limit=100)
    assert_list(projects, PROJECT, "organization.project")
    keys = api.json("/v1/organization/projects/proj_evalSuite19/api_keys")
    assert_list(keys, API_KEY, "organization.project.api_key")
    admin = api.json("/v1/organization/admin_api_keys")
    assert_list(admin, ADMIN_KEY, "organization.admin_api_key")


def test_an_error_names_message_type_param_and_code(api):
    _, error = api.error(COMPLETIONS)
    assert_shape(
        error, {"message": (TEXT,), "type": (TEXT,), "param": (TEXT,), "code": (TEXT, NULL)}
    )
