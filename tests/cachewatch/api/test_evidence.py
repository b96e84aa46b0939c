"""Evidence through the API: sent as a body, read back as rows, a page, files and Markdown."""

from __future__ import annotations

import io
import logging
from typing import Any

import pytest
from django.db import connection

from cachewatch.accounts.models import User
from cachewatch.analysis.requests.analyse import RULES_VERSION
from cachewatch.evidence.models import EvidenceImport
from cachewatch.evidence.spool import uploads_folder
from cachewatch.tasks import read_evidence
from ingest.models import Series, Source
from tests.cachewatch.api.evidence_calls import send, sent
from tests.cachewatch.evidence.logs import ARMS, lines, replay
from tests.cachewatch.people import Caller, error_of


def test_a_log_is_sent_once_and_answers_with_its_verdict(bob: User, acme: Source) -> None:
    row = sent(Caller(bob))
    assert row["heading"] == "Routing scatter: one prefix is found at times and missed at others"
    assert row["verdict"] == {
        "cause": "routing-scatter",
        "word": "Routing scatter",
        "confidence": "confirmed",
        "is_finding": True,
    }
    assert row["pooled"] == {
        "share": 42752 / 135696,
        "cached_tokens": 42752,
        "input_tokens": 135696,
    }
    assert (row["format"], row["requests"], row["left_out"], row["rejected"]) == (
        "generic",
        33,
        0,
        0,
    )
    assert (row["created_by"], row["can"]) == ("bob@example.org", {"delete": True})
    again = send(Caller(bob), lines(replay()))
    assert (again.status_code, again.json()["id"]) == (200, row["id"])
    assert list(uploads_folder().iterdir()) == []


def test_the_page_has_arms_missed_tokens_that_sum_to_a_hundred_facts_and_points(
    bob: User, acme: Source
) -> None:
    page = Caller(bob).get(f"/evidence/{sent(Caller(bob))['id']}").json()
    numbers = page["numbers"]
    assert numbers["arms_heading"] == "Only one stable key differs from no key"
    assert [arm["label"] for arm in numbers["arms"]] == list(ARMS)
    assert [arm["reading"] for arm in numbers["arms"]] == [
        "reference arm",
        "no detectable difference",
        "reads more",
    ]
    assert [arm["p_text"] for arm in numbers["arms"]] == ["baseline", "p = 0.21", "p = 0.008"]
    assert [arm["distinct_keys"] for arm in numbers["arms"]] == [0, 11, 1]
    assert all(arm["is_small"] for arm in numbers["arms"])
    assert [part["percent"] for part in numbers["missed"]] == ["88.7%", "11.3%"]
    assert numbers["missed"][-1]["cause"] == "unknown"
    assert sum(part["tokens"] for part in numbers["missed"]) == numbers["missed_total"] == 80293
    assert [part["cost"] for part in numbers["missed"]] == ["$0.16", "$0.02"]
    assert numbers["missed_usd"] == pytest.approx(80293 * 2.25e-6)
    assert (numbers["missed_cost"], numbers["missed_cost_note"]) == ("$0.18", "")
    (price,) = numbers["prices"]
    assert price.startswith("gpt-5.4: input $2.50, cached $0.25 per 1M tokens; list price, ")
    assert price.endswith(", prices of 2 Nov 2026")
    assert numbers["missed_heading"] == "Of 80,293 missed tokens, 88.7% are routing scatter"
    facts = {fact["name"]: fact["value"] for fact in numbers["facts"]}
    assert facts["Granularity"].startswith("Reads come in steps of 128 tokens")
    assert facts["Prompt cache diagnostics"] == "N/A, not reported"
    assert facts["Rows rejected"] == "0 of 33"
    points = numbers["points"]
    assert [point["arm"] for point in points] == [0, 1, 2] * 11
    assert [place for place, point in enumerate(points) if point["account_changed"]] == [24]
    assert points[0]["first"]


def test_the_evidence_to_copy_has_the_digits_of_the_page(bob: User, acme: Source) -> None:
    page = Caller(bob).get(f"/evidence/{sent(Caller(bob))['id']}").json()
    text = page["markdown"]
    assert text.startswith(f"**{page['heading']}**\n")
    assert (
        "| one stable key | 11 | 1 | 0 | 10 | 62% to 98% | 70.6% (32,000 / 45,309) | p = 0.008 |"
        in text
    )
    assert "- 11.3% unknown (9,085 tokens, $0.02)" in text
    assert "- in dollars: $0.18; gpt-5.4: input $2.50, cached $0.25 per 1M tokens; " in text
    assert text.rstrip().endswith(f"/evidence/{page['id']}")


def test_a_browser_needs_its_csrf_token(bob: User, acme: Source) -> None:
    caller = Caller(bob)
    caller.headers.clear()
    assert error_of(send(caller, lines(replay())))["code"] == "csrf_failed"


def test_evidence_is_listed_the_newest_first_and_by_series(bob: User, acme: Source) -> None:
    series = Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    caller = Caller(bob)
    first = sent(caller)["id"]
    second = sent(caller, query=f"&series_id={series.pk}")
    assert second["series"]["name"] == "proj_a / gpt-5.4"
    page = caller.get("/evidence").json()
    assert [row["id"] for row in page["items"]] == [second["id"], first]
    assert [one["slug"] for one in page["import_into"]] == ["acme"]
    assert {"name": "litellm", "title": "LiteLLM spend logs"} in page["formats"]
    assert "usage-pages" not in [one["name"] for one in page["formats"]]
    of_series = caller.get(f"/evidence?series_id={series.pk}").json()
    assert [row["id"] for row in of_series["items"]] == [second["id"]]
    assert send(caller, lines(replay()), "&series_id=999999").status_code == 404


def test_a_log_for_a_series_goes_into_the_source_of_the_series_alone(
    alice: User, acme: Source, globex: Source
) -> None:
    series = Series.objects.create(source=globex, project_id="proj_a", model="gpt-5.4")
    caller = Caller(alice)
    assert len(caller.get("/evidence").json()["import_into"]) == 2
    of_series = caller.get(f"/evidence?series_id={series.pk}").json()
    assert [one["slug"] for one in of_series["import_into"]] == ["globex"]
    assert caller.get("/evidence?series_id=999999").json()["import_into"] == []


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"project": "proj_b"}, "Its rows name another project (proj_b)"),
        (
            {"project": "proj_b", "model": "gpt-4o"},
            "Its rows name another project (proj_b) and another model (gpt-4o)",
        ),
        ({"project": "proj_a", "model": "gpt-5.4-2026-03-05"}, None),
        ({}, None),
    ],
)
def test_a_log_of_another_project_or_model_than_its_series_is_said_to_be_one(
    bob: User, acme: Source, row: dict[str, object], told: str | None
) -> None:
    series = Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    made = sent(Caller(bob), lines(replay(**row)), f"&series_id={series.pk}")
    page = Caller(bob).get(f"/evidence/{made['id']}").json()
    facts = {fact["name"]: fact["value"] for fact in page["numbers"]["facts"]}
    expected = None if told is None else f"{told} than the series it is attached to"
    assert facts.get("Series") == expected
    assert told is None or told in page["markdown"]


def test_findings_of_older_rules_are_said_to_be_theirs_until_the_log_is_sent_again(
    bob: User, acme: Source
) -> None:
    made = sent(Caller(bob))

    def rules() -> tuple[str | None, str]:
        page = Caller(bob).get(f"/evidence/{made['id']}").json()
        facts = {fact["name"]: fact["value"] for fact in page["numbers"]["facts"]}
        return facts.get("Rules"), page["markdown"]

    assert rules()[0] is None
    EvidenceImport.objects.update(rules_version="requests-1")
    said, markdown = rules()
    assert said == (
        f"Found by older rules (requests-1; they are {RULES_VERSION} now): send the log again to "
        "have it read by the present ones"
    )
    assert f"- Rules: {said}" in markdown
    assert sent(Caller(bob))["id"] == made["id"]
    assert rules()[0] is None


def test_a_reader_sees_evidence_and_where_nothing_can_be_imported(
    bob: User, rita: User, acme: Source
) -> None:
    made = sent(Caller(bob))
    page = Caller(rita).get("/evidence").json()
    assert page["import_into"] == []
    assert page["items"][0]["can"] == {"delete": False}
    assert Caller(rita).get(f"/evidence/{made['id']}").status_code == 200


def test_a_deleted_import_is_gone(bob: User, acme: Source) -> None:
    made = sent(Caller(bob))
    assert Caller(bob).call("DELETE", f"/evidence/{made['id']}").status_code == 204
    assert Caller(bob).get(f"/evidence/{made['id']}").status_code == 404


def test_an_import_that_died_says_so(bob: User, acme: Source) -> None:
    made = sent(Caller(bob))
    EvidenceImport.objects.update(state="running", document=None)
    row = Caller(bob).get("/evidence").json()["items"][0]
    assert (row["state"], row["requests"]) == ("failed", 33)
    assert row["heading"] == row["error"]
    assert "the server stopped" in row["error"]
    page = Caller(bob).get(f"/evidence/{made['id']}").json()
    assert page["numbers"] is None


def test_the_files_of_the_pages(bob: User, acme: Source) -> None:
    made = sent(Caller(bob))
    client = Caller(bob).client
    table = client.get("/evidence.csv").content.decode().splitlines()
    assert table[0].startswith("id,source,series,file_name,state,format,cause,confidence,heading")
    assert table[1].startswith(f"{made['id']},acme,,replay.jsonl,done,generic,routing-scatter")
    rows = client.get("/evidence.json?series=x").json()["items"]
    assert [(row["id"], row["heading"]) for row in rows] == [(made["id"], made["heading"])]
    whole = client.get(f"/evidence/{made['id']}.json").json()
    assert whole["numbers"] == Caller(bob).get(f"/evidence/{made['id']}").json()["numbers"]


CANARIES = {
    "session": "canary-session-7c1",
    "account": "canary-account-7c2",
    "prompt_cache_key": "canary-key-7c3",
    "prefix_hash": "canary-prefix-7c4",
    "request_id": "canary-request-7c5",
    "prompt": "canary prompt seven",
    "messages": [{"role": "user", "content": "canary message seven"}],
    "user": "canary-user-7c6",
    "metadata": {"email": "canary@example.org"},
    "api_key": "sk-canary-7c7",
}


def test_no_raw_value_of_a_log_reaches_the_database_a_log_line_or_an_answer(
    bob: User, acme: Source, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caller = Caller(bob)
    rows = [
        row | {name: _numbered(value, n) for name, value in CANARIES.items()}
        for n, row in enumerate(replay())
    ]
    bad = [
        {"input_tokens": -5, "cached_input_tokens": 0, **CANARIES},
        {"input_tokens": CANARIES["prompt"], "cached_input_tokens": 1},
    ]
    made = sent(caller, lines([*rows, *bad]) + b'{"prompt": "canary torn')
    refused = send(caller, lines([{"prompt": CANARIES["prompt"], "note": CANARIES["user"]}]))
    by_session = send(caller, lines(rows), "&by=session&by=account")
    read_evidence()
    answers = [
        *(caller.get(path).content for path in ("/evidence", f"/evidence/{made['id']}")),
        *(
            caller.client.get(f"/evidence{end}").content
            for end in (".csv", ".json", f"/{made['id']}.json")
        ),
        *(answer.content for answer in (refused, by_session)),
    ]
    assert made["rejected"] == 3
    for place in (*(answer.decode() for answer in answers), _whole_database(), caplog.text):
        assert "canary" not in place


def _numbered(value: Any, number: int) -> Any:
    return f"{value}-{number % 3}" if isinstance(value, str) else value


def _whole_database() -> str:
    """Every row of every table of the product, as text."""
    told = io.StringIO()
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        for table in tables:
            cursor.execute(f'SELECT t::text FROM "{table}" t')
            told.writelines(f"{text}\n" for (text,) in cursor.fetchall())
    return told.getvalue()


def test_times_of_the_log_are_the_requests_own(bob: User, acme: Source) -> None:
    numbers = Caller(bob).get(f"/evidence/{sent(Caller(bob))['id']}").json()["numbers"]
    assert (numbers["first_at"], numbers["last_at"]) == (
        "2026-11-02T00:00:00Z",
        "2026-11-02T00:10:40Z",
    )
