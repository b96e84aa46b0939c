"""One error shape, whatever went wrong."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from ingest.models import Series, Source
from tests.cachewatch.people import API, Caller, error_of


def test_nobody_gets_401_in_the_error_shape(client: Client, db: None) -> None:
    answer = client.get(f"{API}/me")
    error = error_of(answer)
    assert (answer.status_code, error["code"]) == (401, "not_signed_in")
    assert error["request_id"] == answer["X-Request-ID"]
    assert answer["Content-Type"] == "application/json"
    assert answer["WWW-Authenticate"] == 'Bearer realm="cachewatch"'


def test_a_token_that_is_no_good_is_named_in_the_challenge(client: Client, db: None) -> None:
    answer = client.get(f"{API}/me", headers={"Authorization": "Bearer cw_made-up"})
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == 'Bearer realm="cachewatch", error="invalid_token"'


def test_nobody_gets_401_before_anything_is_said_of_the_parameters(
    client: Client, db: None
) -> None:
    assert client.get(f"{API}/series?limit=nonsense").status_code == 401


def test_a_bad_value_names_its_field(owner: Caller) -> None:
    answer = owner.get("/series?limit=501&verdict=unheard-of")
    error = error_of(answer)
    assert (answer.status_code, error["code"]) == (422, "invalid")
    assert [field["name"] for field in error["fields"]] == ["verdict.0", "limit"]
    assert error["message"] == "2 values cannot be used."


def test_a_bad_value_in_a_body_names_its_field(owner: Caller) -> None:
    error = error_of(owner.post("/members", {"email": "x@example.org", "role": "king"}))
    assert [field["name"] for field in error["fields"]] == ["role"]


def test_a_body_that_is_not_json_is_a_bad_request(owner: Caller) -> None:
    answer = owner.client.generic(
        "POST", f"{API}/members", "{", content_type="application/json", headers=owner.headers
    )
    assert (answer.status_code, error_of(answer)["code"]) == (400, "bad_request")


@pytest.mark.parametrize("path", ["/nothing", "/series/999999999", "/sources/nothing", "/runs/1"])
def test_what_is_not_there_is_404_in_the_error_shape(owner: Caller, path: str) -> None:
    answer = owner.get(path)
    assert (answer.status_code, error_of(answer)["code"]) == (404, "not_found")


def test_an_address_outside_the_api_version_is_404_in_the_error_shape(client: Client) -> None:
    answer = client.get("/api/v2/me")
    assert (answer.status_code, error_of(answer)["code"]) == (404, "not_found")


@pytest.mark.parametrize("path", ["/series?project=%00", "/series?q=a%00b", "/sources/a%00b"])
def test_an_address_with_a_nul_is_a_bad_request(owner: Caller, path: str) -> None:
    answer = owner.get(path)
    assert (answer.status_code, error_of(answer)["code"]) == (400, "bad_request")


def test_a_nul_in_a_body_is_refused_by_name(owner: Caller) -> None:
    answer = owner.patch("/me", {"name": "a\x00b"})
    assert (answer.status_code, error_of(answer)["fields"][0]["name"]) == (422, "name")


def test_a_number_beyond_every_id_is_404(owner: Caller) -> None:
    assert owner.get(f"/series/{10**30}").status_code == 404
    assert owner.get(f"/runs/{10**30}").status_code == 404


def test_a_wrong_method_is_405_in_the_error_shape_and_says_what_is_allowed(owner: Caller) -> None:
    answer = owner.call("DELETE", "/me")
    assert (answer.status_code, error_of(answer)["code"]) == (405, "method_not_allowed")
    assert set(answer["Allow"].split(", ")) == {"GET", "PATCH"}


def test_a_write_without_the_csrf_header_is_403_in_the_error_shape(owner: Caller) -> None:
    owner.headers.clear()
    answer = owner.patch("/me", {"name": "Alice"})
    assert (answer.status_code, error_of(answer)["code"]) == (403, "csrf_failed")
    assert error_of(answer)["message"].startswith("The X-CSRFToken header does not match")


def test_a_write_from_another_site_is_told_its_origin_whatever_its_token(owner: Caller) -> None:
    owner.headers["Origin"] = "https://evil.example"
    error = error_of(owner.patch("/me", {"name": "Alice"}))
    assert error["code"] == "csrf_failed"
    assert error["message"] == (
        "The Origin of the request is https://evil.example, and only pages of "
        "http://127.0.0.1:8000 may write."
    )
    owner.headers["Origin"] = "http://127.0.0.1:8000"
    assert owner.patch("/me", {"name": "Alice"}).status_code == 200


def test_a_host_that_is_not_ours_is_400_in_the_error_shape(client: Client) -> None:
    answer = client.get(f"{API}/health", headers={"Host": "elsewhere.example"})
    assert (answer.status_code, error_of(answer)["code"]) == (400, "bad_request")


def test_a_failure_inside_is_500_in_the_error_shape_and_says_nothing_of_the_cause(
    owner: Caller, acme: Source, caplog: pytest.LogCaptureFixture
) -> None:
    Source.objects.update(scopes={"usage": "secret detail"})  # a state that no shape allows
    answer = owner.get("/sources/acme")
    error = error_of(answer)
    assert (answer.status_code, error["code"]) == (500, "internal_error")
    assert "secret" not in json.dumps(error)
    assert "secret detail" in caplog.text


def test_a_plain_request_id_is_taken_over_into_answer_and_log_and_a_strange_one_is_replaced(
    client: Client, db: None, caplog: pytest.LogCaptureFixture
) -> None:
    given = client.get(f"{API}/me", headers={"X-Request-ID": "gateway-0001"})
    assert error_of(given)["request_id"] == "gateway-0001"
    assert "gateway-0001" in caplog.text
    forged = client.get(f"{API}/me", headers={"X-Request-ID": "x\r\nevent=forged"})
    assert len(error_of(forged)["request_id"]) == 32


@pytest.mark.parametrize("time", ["99999999999999999", "9" * 400, "-1", "9" * 5000, "²"])
def test_a_time_beyond_every_calendar_is_refused_by_name(
    owner: Caller, acme: Source, time: str
) -> None:
    series = Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    for name in ("from", "to"):
        answer = owner.get(f"/series/{series.pk}/hours?{name}={time}")
        assert (answer.status_code, error_of(answer)["fields"][0]["name"]) == (422, name)
        for suffix in ("csv", "json"):
            file = owner.client.get(f"/series/acme/proj_a/gpt-5.4.{suffix}?{name}={time}")
            assert (file.status_code, error_of(file)["fields"][0]["name"]) == (422, name)
