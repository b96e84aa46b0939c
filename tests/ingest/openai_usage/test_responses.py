"""One request to a model: what goes over the wire, what is read, what a refusal says."""

from __future__ import annotations

import json

import httpx
import pytest

from ingest.openai_usage.errors import (
    BadAnswer,
    KeyRejected,
    ProviderFailed,
    RateLimited,
    RequestRefused,
)
from ingest.openai_usage.responses import ResponsesClient

KEY = "sk-proj-0123456789abcdef"
USAGE = {
    "input_tokens": 4000,
    "output_tokens": 3,
    "input_tokens_details": {"cached_tokens": 3840, "cache_write_tokens": 100},
}


class Wire:
    """Answers every request with one answer, and keeps what was sent."""

    def __init__(self, answer):
        self.answer, self.sent = answer, []

    def __call__(self, request):
        self.sent.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def client(wire, key=KEY):
    return ResponsesClient(
        base_url="https://models.example/v1", api_key=key, transport=httpx.MockTransport(wire)
    )


def asked(answer, key=KEY):
    wire = Wire(answer)
    with client(wire, key) as responses:
        return responses.create({"model": "gpt-5.4", "input": "Hello"})


def test_a_request_is_one_post_of_the_body_with_the_key():
    wire = Wire(httpx.Response(200, json={"id": "resp_1", "usage": USAGE}))
    with client(wire) as responses:
        usage = responses.create({"model": "gpt-5.4", "input": "Ünïcode"})
        assert KEY not in repr(responses)
    assert tuple(usage)[:4] == (4000, 3840, 100, 3)
    (request,) = wire.sent
    assert (request.method, str(request.url)) == ("POST", "https://models.example/v1/responses")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"] == "application/json"
    assert json.loads(request.content) == {"model": "gpt-5.4", "input": "Ünïcode"}


def test_what_is_not_reported_is_none_and_never_zero():
    usage = asked(httpx.Response(200, json={"usage": {"input_tokens": 4000}}))
    assert tuple(usage)[:4] == (4000, None, None, None)


@pytest.mark.parametrize(
    "body", [{}, {"usage": None}, {"usage": {}}, [], {"usage": {"input_tokens": "4"}}]
)
def test_an_answer_without_usage_is_a_bad_answer(body):
    with pytest.raises(BadAnswer, match="it holds no usage of a response"):
        asked(httpx.Response(200, json=body))


@pytest.mark.parametrize(
    ("status", "error", "kind", "sentence"),
    [
        (401, {"message": f"Incorrect API key: {KEY}"}, KeyRejected, "does not accept this key"),
        (403, {"message": "No access."}, RequestRefused, "(403: No access)"),
        (404, {"message": "No such model."}, RequestRefused, "(404: No such model)"),
        (400, {"message": f"Bad {KEY}"}, RequestRefused, "refused the request (400"),
        (429, {"message": "Slow down."}, RateLimited, "slow down (429)"),
        (429, {"message": "x", "code": "insufficient_quota"}, RequestRefused, "no credit left"),
        (500, {"message": "broken"}, ProviderFailed, "The provider failed (500: broken)"),
    ],
)
def test_a_refusal_says_what_to_do_and_never_the_key(status, error, kind, sentence):
    wire = Wire(httpx.Response(status, json={"error": error}))
    with client(wire) as responses, pytest.raises(kind) as raised:
        responses.create({})
    assert sentence in raised.value.sentence
    assert KEY not in raised.value.sentence
    assert len(wire.sent) == 1  # a second try could cost a second time


def test_an_admin_key_is_told_from_a_key_of_a_project():
    refused = httpx.Response(403, json={"error": {"message": "Missing scopes: model.request"}})
    with pytest.raises(KeyRejected, match="only a key of a project can call models"):
        asked(refused, key="sk-admin-0123456789abcdef")


def test_a_broken_connection_is_told_in_words():
    with pytest.raises(ProviderFailed, match=r"models\.example could not be reached"):
        asked(httpx.ConnectError("no route"))


@pytest.mark.parametrize("key", ["", "sk-proj-ab...yz"])
def test_a_key_that_no_provider_issued_is_refused_before_anything_is_sent(key):
    with pytest.raises(KeyRejected, match="The API key"):
        client(Wire(None), key)
