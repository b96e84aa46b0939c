"""`cachewatch evidence` from files: verdicts, the document, every failure one line and status 2."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from cachewatch.cli import main

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "data" / "requests"
PINGS = [0] * 5 + [10112] + [0] * 6 + [12160, 0, 12160, 0]
KEYS = [
    *("format", "format_reason", "requests", "duplicates", "excluded", "input_tokens"),
    *("cached_tokens", "share", "sessions", "models", "findings", "missed_tokens", "arms"),
    *("comparisons", "floor", "rejected"),
]


def shared(name):
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"the shared file {name} is not there")
    return str(path)


def written(folder, rows):
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def pings(folder, **more):
    return written(
        folder,
        [
            {"input_tokens": 12400, "cached_input_tokens": read}
            | {name: values[place] for name, values in more.items()}
            for place, read in enumerate(PINGS)
        ],
    )


def document(capsys, *arguments):
    status = main(["evidence", *arguments, "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_a_finding_is_status_one_and_names_the_cause_first(tmp_path, capsys):
    path = pings(tmp_path, prompt_cache_key=[f"run-{n}" for n in range(16)])
    status, found = document(capsys, path)
    assert (status, found["findings"][0]["cause"]) == (1, "key-churn")
    assert list(found) == KEYS
    assert (found["format"], found["requests"]) == ("generic", 16)
    assert (found["cached_tokens"], found["input_tokens"]) == (34432, 198400)
    assert found["share"] == pytest.approx(0.1735, abs=1e-4)


def test_missed_tokens_have_their_cost_beside_them(tmp_path, capsys):
    _, found = document(capsys, pings(tmp_path, model=["gpt-5.4"] * 16))
    missed = found["missed_tokens"]
    assert (missed["total"], missed["by_cause"]["unknown"]) == (151_088, 0)
    assert missed["usd"]["total"] == pytest.approx(151_088 * 2.25e-6)
    assert missed["usd"]["by_cause"].keys() == missed["by_cause"].keys()
    assert missed["usd"]["is_dated"] is False


def test_without_a_price_the_cost_is_not_known(tmp_path, capsys):
    path = pings(tmp_path)
    _, found = document(capsys, path)
    assert found["missed_tokens"]["usd"]["total"] is None
    assert main(["evidence", path]) == 1
    assert "    in dollars: N/A (the log does not name the model)" in capsys.readouterr().out


def test_a_wrong_price_stops_the_command_in_words(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("CACHEWATCH_PRICES", "no toml")
    assert main(["evidence", pings(tmp_path)]) == 2
    assert "CACHEWATCH_PRICES: is no TOML" in capsys.readouterr().err


def test_a_healthy_log_is_status_zero(tmp_path, capsys):
    rows = [{"input_tokens": 9000, "cached_input_tokens": read} for read in [0, *[8960] * 9]]
    status, found = document(capsys, written(tmp_path, rows))
    assert (status, found["findings"][0]["cause"]) == (0, "healthy")


def test_the_text_says_the_verdict_the_missed_tokens_and_what_is_open(tmp_path, capsys):
    assert main(["evidence", pings(tmp_path)]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("routing-scatter          possible: ")
    assert "check keys first" in printed[0]
    assert printed[1].startswith("    A key that is new on each request looks the same")
    assert any(
        line.startswith("missed tokens: 151,088 (routing-scatter 100.0%") for line in printed
    )


def test_columns_are_compared_by_name(tmp_path, capsys):
    path = pings(tmp_path, variant=["off"] * 8 + ["on"] * 8)
    _, found = document(capsys, path, "--by", "variant")
    assert [one["arm"] for one in found["arms"]] == [{"variant": "off"}, {"variant": "on"}]
    assert "arms do not alternate" in found["comparisons"][0]["statement"]


def test_no_identity_is_printed(tmp_path, capsys):
    names = [f"secret-account-{n % 2}" for n in range(16)]
    path = pings(tmp_path, account=names, session=names, prompt_cache_key=names)
    for arguments in ([path, "--by", "account"], [path, "--by", "account", "--json"]):
        main(["evidence", *arguments])
        out, err = capsys.readouterr()
        assert "secret" not in out + err
        assert "account 1" in out


def test_standard_input_is_read(tmp_path, capsys, monkeypatch):
    lines = Path(pings(tmp_path)).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    status, found = document(capsys, "-")
    assert (status, found["requests"]) == (1, 16)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "name a PATH with a log of requests"),
        (["missing.jsonl"], "missing.jsonl: it cannot be read"),
        (["{log}", "--format", "nonsense"], "there is no format 'nonsense'"),
        (["{log}", "--by", "color"], "there is no column 'color' to compare by"),
        (["{empty}"], "it is empty"),
        (["{log}", "--what"], "unrecognized arguments: --what"),
    ],
)
def test_every_failure_is_one_line_and_status_two(tmp_path, capsys, arguments, sentence):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    places = {"log": pings(tmp_path), "empty": empty}
    assert main(["evidence", *(one.format(**places) for one in arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("cachewatch evidence: ")
    assert sentence in err
    assert err.count("\n") == 1


def test_a_column_that_is_not_kept_as_an_arm_is_said_to_be_there_and_why_it_is_not(
    tmp_path, capsys
):
    rows = [{"input_tokens": 9, "cached_input_tokens": 0, f"c{n % 66}": "x"} for n in range(132)]
    rows += [{"input_tokens": 9, "cached_input_tokens": 0, "c0": f"v{n}"} for n in range(70)]
    path = written(tmp_path, rows)
    for column, why in (
        ("c65", "only the first 64 columns, in the order in which they appear, are kept as arms"),
        ("c0", "it has more than 64 different values, so it tells requests apart"),
    ):
        assert main(["evidence", path, "--by", column]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count(f"column '{column}' cannot be compared by: {why}")) == ("", 1)


@pytest.mark.parametrize(
    ("name", "requests", "input_tokens", "cached_tokens"),
    [
        ("opencodex-3433_description_sequence.jsonl", 8, 2_322_923, 927_744),
        ("codex_reemit_and_compaction.jsonl", 3, 33_420, 10_752),
        ("openai_responses_with_cache_diagnostics.jsonl", 7, 28_345, 8_065),
    ],
)
def test_shared_logs_have_their_known_totals(name, requests, input_tokens, cached_tokens, capsys):
    _, found = document(capsys, shared(name))
    assert (found["requests"], found["input_tokens"], found["cached_tokens"]) == (
        *(requests, input_tokens, cached_tokens),
    )


def test_the_published_sequence_is_scatter(capsys):
    _, found = document(capsys, shared("opencodex-3433_description_sequence.jsonl"))
    assert found["findings"][0]["cause"] == "routing-scatter"


def test_aggregates_of_an_engine_are_refused(capsys):
    assert main(["evidence", shared("vllm_log_lines.txt")]) == 2
    assert "an average over all requests" in capsys.readouterr().err


def test_neither_django_nor_a_database_is_needed(tmp_path):
    code = (
        "import sys; from cachewatch.cli import main; "
        f"status = main(['evidence', {pings(tmp_path)!r}]); "
        "print(status, sorted({'django', 'psycopg', 'httpx'} & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, env={}
    )
    assert run.stdout.splitlines()[-1] == "1 []"
