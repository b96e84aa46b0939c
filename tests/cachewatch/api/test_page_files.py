"""The .csv and .json of pages: the same rows and filters, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime
from urllib.parse import unquote, urlencode

import pytest
from django.urls import resolve

from cachewatch.accounts.models import User
from cachewatch.api.page_files import csv_cell
from cachewatch.pages import app_page
from cachewatch.verdicts.addresses import series_path
from ingest.models import Project, Series, Source
from tests.cachewatch.people import Caller, error_of, token_caller
from tests.factories import make_run


def rows_of(caller: Caller, address: str) -> list[dict[str, str]]:
    answer = caller.client.get(address, headers=caller.headers)
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"].startswith("attachment; filename=")
    assert answer["Cache-Control"] == "no-store"
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_the_table_of_series_as_a_file_has_the_pages_rows(owner: Caller, week: Source) -> None:
    listed = owner.get("/series?verdict=load-correlated-misses").json()["items"]
    (row,) = rows_of(owner, "/series.csv?verdict=load-correlated-misses")
    assert (row["project_name"], row["verdict"]) == ("rag-answer", "load-correlated-misses")
    assert float(row["cached_share"]) == listed[0]["pooled"]["share"]
    assert float(row["rank_correlation"]) == listed[0]["rho"] < 0
    assert (row["since"], row["complete_to"]) == ("2026-11-08", "2026-11-09T00:00:00Z")
    usd = [float(row[f"avoidable_usd_{end}"]) for end in ("low", "high")]
    tokens = [int(row[f"avoidable_tokens_{end}"]) for end in ("low", "high")]
    assert usd == listed[0]["avoidable"]["usd_per_week"]
    assert tokens == listed[0]["avoidable"]["tokens_per_week"]
    assert (row["avoidable"], row["avoidable_basis"]) == (
        "$439 to $774",
        "low end: busy hours to 68%",
    )
    assert (row["price_date"], row["priced_share"]) == ("2026-11-08", "1.0")
    as_json = owner.client.get("/series.json?verdict=load-correlated-misses").json()
    assert as_json == {"items": listed, "total": 1, "limit": 1, "offset": 0}


def test_what_is_not_known_is_an_empty_cell(owner: Caller, acme: Source) -> None:
    Series.objects.create(source=acme, project_id=None, model=None)
    (row,) = rows_of(owner, "/series.csv")
    assert (row["project_id"], row["verdict"], row["cached_share"]) == ("", "", "")
    assert row["project_name"] == "(none)"
    assert (row["avoidable"], row["avoidable_usd_low"], row["priced_share"]) == ("N/A", "", "")


def test_filter_values_that_are_not_known_are_passed_over(owner: Caller, week: Source) -> None:
    assert len(rows_of(owner, "/series.csv?verdict=unheard-of&sort=luck&window=7d")) == 3
    assert rows_of(owner, "/series.csv?q=nothing") == []


def test_a_name_that_a_spreadsheet_would_run_is_text(owner: Caller, acme: Source) -> None:
    Series.objects.create(source=acme, project_id="proj_a", model='=HYPERLINK("http://x")')
    Project.objects.create(source=acme, project_id="proj_a", name="@SUM(1+1)")
    (row,) = rows_of(owner, "/series.csv")
    assert row["model"] == '\'=HYPERLINK("http://x")'
    assert row["project_name"] == "'@SUM(1+1)"


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (None, ""),
        (0, 0),
        (-0.91, -0.91),
        (True, "true"),
        ("plain", "plain"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("\t=1", "'\t=1"),
        ("\uff1d1", "'\uff1d1"),
        ("\ufeff=1", "'\ufeff=1"),
        (" \u200b@SUM(1)", "' \u200b@SUM(1)"),
        ("a=1", "a=1"),
        (datetime(2026, 11, 26, 13, tzinfo=UTC), "2026-11-26T13:00:00Z"),
        (date(2026, 11, 26), date(2026, 11, 26)),
        (["=a", "b"], "'=a; b"),
    ],
)
def test_cells(value: object, cell: object) -> None:
    assert csv_cell(value) == cell


def test_the_hours_of_a_series_as_a_file(owner: Caller, week: Source) -> None:
    address = "/series/acme/proj_a/gpt-5.4"
    span = "?from=2026-11-02T00&to=2026-11-02T02"
    first, second = rows_of(owner, f"{address}.csv{span}&colour=hour")
    assert list(first) == [
        "hour",
        "state",
        "third",
        "requests",
        "input_tokens",
        "cached_tokens",
        "cache_write_tokens",
        "share",
    ]
    assert (first["state"], first["third"]) == ("unknown_before", "")
    assert (second["requests"], second["share"]) == ("150", "0.696")
    series = Series.objects.get(project_id="proj_a")
    as_json = owner.client.get(f"{address}.json{span}").json()
    assert as_json == owner.get(f"/series/{series.pk}/hours{span}").json()


@pytest.mark.parametrize(
    ("project", "model", "address"),
    [
        (None, "gpt-5.4", "/series/acme/_none/gpt-5.4.csv"),
        ("proj_a", "ft:org/x y", "/series/acme/proj_a/ft%3Aorg%2Fx%20y.csv"),
        ("proj_a", None, "/series/acme/proj_a/_none.csv"),
    ],
)
def test_every_series_has_a_file_at_its_address(
    owner: Caller, acme: Source, project: str | None, model: str | None, address: str
) -> None:
    Series.objects.create(source=acme, project_id=project, model=model)
    assert rows_of(owner, address)


ODD_IDS = (
    "_none",
    "_empty",
    "",
    ".",
    "..",
    "a/b",
    "a%2Fb",
    "100%",
    "a\nb",
    "a\r\nSet-Cookie: x=1",
    "line\n",
    "gpt.csv",
    "gpt.json",
    "päröj 🦊",
    '"; filename="x',
    "a?b#c&d",
    "\u2028",
    "/" * 200,
)


@pytest.mark.parametrize("odd", ODD_IDS)
def test_a_series_of_any_ids_has_its_page_its_files_and_its_answer_at_its_address(
    owner: Caller, acme: Source, odd: str
) -> None:
    # What an address that is taken apart wrongly would find instead.
    for project, model in ((None, None), ("a", "b"), ("a", "b/gpt-5.4"), ("gpt", "gpt")):
        Series.objects.create(source=acme, project_id=project, model=model)
    for project, model in ((odd, odd), (odd, "gpt-5.4"), (odd, None), (None, odd)):
        series = Series.objects.create(source=acme, project_id=project, model=model)
        address = series_path(series)
        assert address.isascii()
        assert address.isprintable()
        assert [unquote(part) for part in address.split("/")[1:3]] == ["series", "acme"]
        assert resolve(unquote(address)).func is app_page
        decoded = [unquote(part) for part in address.split("/")[3:]]
        parts = urlencode({"source": "acme", "project": decoded[0], "model": decoded[1]})
        assert owner.get(f"/series/by-path?{parts}").json()["id"] == series.pk
        answer = owner.client.get(f"{address}.csv")
        assert answer["Content-Disposition"] == 'attachment; filename="hours.csv"'
        as_json = owner.client.get(f"{address}.json").json()
        assert as_json == owner.get(f"/series/{series.pk}/hours").json()


def test_the_null_filter_finds_a_project_of_that_very_name_too(owner: Caller, acme: Source) -> None:
    for project in (None, "_none", "100%25"):
        Series.objects.create(source=acme, project_id=project, model="gpt-5.4")
    assert owner.get("/series?project=_none").json()["total"] == 2
    assert owner.get("/series?project=100%2525").json()["total"] == 1


def test_a_series_or_span_that_cannot_be_is_refused_in_the_error_shape(
    owner: Caller, acme: Source
) -> None:
    missing = owner.client.get("/series/acme/proj_a/gpt-5.4.csv")
    assert (missing.status_code, error_of(missing)["code"]) == (404, "not_found")
    Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    bad = owner.client.get("/series/acme/proj_a/gpt-5.4.csv?from=yesterday")
    assert (bad.status_code, error_of(bad)["fields"][0]["name"]) == (422, "from")


def test_the_runs_of_the_sources_page_as_a_file(owner: Caller, acme: Source) -> None:
    make_run(acme, status="ok")
    make_run(acme, status="failed", error="=1+1", notices=["a", "b"])
    assert len(rows_of(owner, "/sources.csv")) == 2
    (failed,) = rows_of(owner, "/sources.csv?runs=failed")
    assert (failed["error"], failed["notices"], failed["source"]) == ("'=1+1", "a; b", "acme")
    items = owner.client.get("/sources.json?runs=failed").json()["items"]
    assert items == owner.get("/runs?problems=true").json()["items"]


def test_files_are_for_members_and_tools_with_a_token(
    owner: Caller, alice: User, charlie: User, acme: Source
) -> None:
    nobody = Caller().client.get("/series.csv")
    assert (nobody.status_code, error_of(nobody)["code"]) == (401, "not_signed_in")
    stranger = Caller(charlie).client.get("/series.csv")
    assert (stranger.status_code, error_of(stranger)["code"]) == (403, "no_membership")
    assert rows_of(token_caller(alice, "read"), "/sources.csv") == []
    blind = token_caller(alice, "admin")
    refused = blind.client.get("/series.csv", headers=blind.headers)
    assert (refused.status_code, error_of(refused)["code"]) == (403, "scope_missing")
    assert owner.client.post("/series.csv", headers=owner.headers).status_code == 405
