"""`cachewatch diagnose` where nothing could be judged: status 2 with the reason, never "nothing found"."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from cachewatch.diagnose.command import main
from tests.cachewatch.analysis.series_of import BASE_HOUR, hour_row
from tests.cachewatch.usage_pages import bucket, buckets, page, result, write

SERIES = ("proj_a", "gpt-5.4")
ROWS = [hour_row(i, 100 + i, 0.5) for i in range(30)]


@pytest.fixture
def run(capsys) -> Callable[..., tuple[int, str, str]]:
    def run_diagnose(*arguments: str) -> tuple[int, str, str]:
        status = main(["--json", *arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_diagnose


def usage_of(tmp_path, *sent: dict[str, Any]) -> str:
    """A file in which each hour holds these rows."""
    hours = [bucket(BASE_HOUR + i, sent) for i in range(30)]
    return write(tmp_path / "usage.json", page(hours))


def test_rows_of_which_none_could_be_read_are_named_and_still_in_the_document(tmp_path, run):
    path = usage_of(tmp_path, result(ROWS[0], model=7))
    status, out, err = run(path)
    assert status == 2
    assert err == (
        f"cachewatch diagnose: nothing could be judged: {path}, bucket 2026-08-17T00:00Z, row 1,"
        " project_id=proj_a, model: it is a number, not a text;"
        " 29 more value(s) could not be read\n"
    )
    document = json.loads(out)
    assert (document["checked"], document["findings"], len(document["rejected"])) == (0, 0, 30)


def test_rows_whose_every_number_is_a_text_are_no_good_news(tmp_path, run):
    words = dict.fromkeys(("num_model_requests", "input_tokens", "input_cached_tokens"), "many")
    status, out, err = run(usage_of(tmp_path, result(ROWS[0]) | words))
    assert (status, json.loads(out)["checked"]) == (2, 0)
    assert "nothing could be judged: " in err
    assert "num_model_requests: it is a text, not a whole number; 89 more value(s)" in err


@pytest.mark.parametrize("rules", ["full", "published"])
@pytest.mark.parametrize(
    "missing",
    [("num_model_requests", "input_tokens", "input_cached_tokens"), ("input_cached_tokens",)],
)
def test_numbers_that_are_all_null_are_no_good_news(tmp_path, run, missing, rules):
    path = usage_of(tmp_path, result(ROWS[0]) | dict.fromkeys(missing))
    status, out, err = run("--rules", rules, path)
    if rules == "published" and missing == ("input_cached_tokens",):
        # It takes a number that is missing for a zero, and judges every hour.
        assert (status, json.loads(out)["checked"], err) == (0, 1, "")
        return
    assert (status, json.loads(out)["findings"]) == (2, 0)
    assert err == (
        "cachewatch diagnose: nothing could be judged: no row reports its requests, input tokens"
        " and cached tokens together, and without these no cached share is known\n"
    )


def test_hours_that_are_all_unsettled_are_no_good_news(tmp_path, run):
    path = write(tmp_path / "usage.json", page([bucket(BASE_HOUR, [result(ROWS[0])])]))
    status, out, err = run("--now", str(BASE_HOUR * 3600 + 1800), path)
    assert (status, json.loads(out)["checked"]) == (2, 1)
    assert "nothing could be judged: of all series, 0 hours used; left out: 1 not settled" in err


def test_the_report_for_people_is_printed_too(tmp_path, capsys):
    assert main([usage_of(tmp_path, result(ROWS[0], model=7))]) == 2
    captured = capsys.readouterr()
    assert "0 project/model series checked, 0 finding(s)" in captured.out
    assert captured.err.count("\n") == 1


def test_hours_without_any_traffic_are_nothing_found(tmp_path, run):
    status, out, err = run(usage_of(tmp_path))
    assert (status, json.loads(out)["checked"], err) == (0, 0, "")


def test_idle_rows_are_nothing_found_though_they_report_no_cached_tokens(tmp_path, run):
    idle = result(ROWS[0]) | {"num_model_requests": 0, "input_tokens": 0}
    del idle["input_cached_tokens"]
    assert run(usage_of(tmp_path, idle))[0] == 0


def test_a_series_of_few_hours_is_not_judged_but_the_published_rule_keeps_its_answer(tmp_path, run):
    path = write(tmp_path / "usage.json", page(buckets({SERIES: ROWS[:3]})))
    status, out, err = run(path)
    assert (status, json.loads(out)["checked"]) == (2, 1)
    assert err == (
        "cachewatch diagnose: nothing could be judged: the series has too few hours whose previous "
        "hour had traffic, 2 of the 24 that a verdict needs\n"
    )
    assert run("--rules", "published", path)[0] == 0


def test_of_several_short_series_the_longest_is_told_and_one_long_series_is_enough(tmp_path, run):
    short = {SERIES: ROWS[:3], ("proj_b", "gpt-5.4"): ROWS[:5]}
    status, _, err = run(write(tmp_path / "usage.json", page(buckets(short))))
    assert status == 2
    assert "each of the 2 series has too few hours" in err
    assert err.endswith("at most 4 of the 24 that a verdict needs\n")
    longer = short | {("proj_b", "gpt-5.4"): ROWS}
    assert run(write(tmp_path / "longer.json", page(buckets(longer))))[0] == 0


def test_one_series_that_can_be_judged_is_enough(tmp_path, run):
    unknown = result(ROWS[0], project="proj_b") | {"input_cached_tokens": None}
    hours = [bucket(row[0], [result(row), unknown]) for row in ROWS]
    assert run(write(tmp_path / "usage.json", page(hours)))[0] == 0


# The usage API.


@contextmanager
def usage_api(answer: dict[str, Any]) -> Iterator[str]:
    """The base URL of an API that answers every request with this document."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("data", [[], [bucket(BASE_HOUR - 1_000, [result(ROWS[0])])]])
def test_an_api_that_answers_no_hour_asked_for_could_not_be_read(run, monkeypatch, data):
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-admin-test")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with usage_api(page(data)) as url:
        status, out, err = run("--base-url", url, "--days", "2", "--now", str(BASE_HOUR * 3600))
    assert (status, out) == (2, "")
    assert err.splitlines()[-1] == (
        f"cachewatch diagnose: {url}: no data: it holds no whole hour of the 48 asked for"
    )
