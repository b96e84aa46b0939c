"""`cachewatch diff`: a status as diff has, one line for every failure, nothing of a prompt."""

from __future__ import annotations

import io
import json
import sys

import pytest

from cachewatch.cli import main

BODY = {
    "model": "gpt-5.4",
    "messages": [
        {"role": "system", "content": "SECRETWORD today is 2026-11-29, answer briefly"},
        {"role": "user", "content": "SECRETWORD"},
    ],
}


@pytest.fixture
def file(tmp_path):
    def written(name, value):
        path = tmp_path / name
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return str(path)

    return written


def later(body=BODY):
    return json.loads(json.dumps(body).replace("11-29", "11-30"))


def test_equal_bodies_are_status_zero(file, capsys):
    assert main(["diff", file("a.json", BODY), file("b.json", json.dumps(BODY, indent=2))]) == 0
    assert capsys.readouterr().out.startswith("same: nothing differs")


def test_a_difference_is_status_one_and_says_where_and_what(file, capsys):
    assert main(["diff", file("a.json", BODY), file("b.json", later())]) == 1
    printed = capsys.readouterr().out
    assert "first difference: message 0 (system), at about token 8 (8 inside the block)" in printed
    assert "likely: a time or date" in printed
    assert "estimated without a tokenizer" in printed
    assert "a prefix below 1,024 tokens is not cached" in printed


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_nothing_of_a_prompt_is_printed(file, capsys, options):
    main(["diff", file("a.json", BODY), file("b.json", later()), *options])
    out, err = capsys.readouterr()
    assert "SECRETWORD" not in out + err
    assert "11-29" not in out + err


def test_keys_that_differ_are_said_to_differ_and_not_to_be_present_in_both(file, capsys):
    a, b = (file(f"{name}.json", BODY | {"prompt_cache_key": f"SECRET-{name}"}) for name in "ab")
    differs = "differs (values are not shown)"
    assert main(["diff", a, b]) == 1
    printed = capsys.readouterr().out
    assert f"parameter prompt_cache_key: {differs} (routing up to GPT-5.5; from" in printed
    assert "blocks: every one is the same" in printed
    assert main(["diff", a, b, "--json"]) == 1
    document = capsys.readouterr().out
    (told,) = json.loads(document)["parameters"]
    assert (told["a"], told["b"]) == (differs, differs)
    assert "SECRET" not in printed + document


def test_the_document_has_the_agreed_shape(file, capsys):
    assert main(["diff", file("a.json", BODY), file("b.json", later()), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert list(found) == [
        *("same", "divergence", "parameters", "shared_tokens", "tokens_a", "tokens_b"),
        *("tokens_are", "minimum_tokens"),
    ]
    assert found["divergence"] == {
        "block": "message 0 (system)",
        "kind": "developer",
        "index": 0,
        "token_offset": 8,
        "token_offset_in_block": 8,
        "likely": "time",
    }


def test_a_line_of_a_batch_file_is_its_body(file, capsys):
    line = {"custom_id": "1", "method": "POST", "url": "/v1/chat/completions", "body": BODY}
    assert main(["diff", file("a.json", line), file("b.json", BODY)]) == 0


def test_one_of_the_two_may_be_standard_input(file, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(BODY).encode())))
    assert main(["diff", "-", file("b.json", BODY)]) == 0


@pytest.mark.parametrize(
    ("a", "sentence"),
    [
        ("{", "a.json: it is not one JSON object"),
        ("[1]", "a.json: it holds no JSON object"),
        ('{"model": "gpt-5.4"}', "a.json: it is no request of the Responses or Chat Completions"),
        ('{"messages": {"role": "user"}}', "a.json: its `messages` is neither a text nor a list"),
    ],
)
def test_what_cannot_be_compared_is_one_line_and_status_two(file, capsys, a, sentence):
    assert main(["diff", file("a.json", a), file("b.json", BODY)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["a.json"], ["-", "-"], ["missing.json", "b.json"]])
def test_a_call_that_cannot_run_is_one_line_and_status_two(capsys, arguments):
    assert main(["diff", *arguments]) == 2
    assert capsys.readouterr().err.startswith("cachewatch diff: ")
