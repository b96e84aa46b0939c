"""Names and notes that are code where they are shown: in a page, in Markdown, in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from typing import Any

import pytest
from django.test import Client

from cachewatch.accounts.models import User
from cachewatch.markdown import parsed, safe_html
from ingest.models import ApiKeyName, IngestRun, Project, Series, Source
from tests.cachewatch.api.calls import READS, work_on
from tests.cachewatch.people import API, Caller
from tests.factories import make_run

SCRIPT = "<script>window.hacked=1</script><img src=x onerror=window.hacked=1>"
FORMULAS = ("=HYPERLINK(1)", "+1+1", "-1+1", "@SUM(1)", "\t=1", "\r=1", "\uff1d1", "\u200b=1")
CSV_ADDRESSES = (
    *("/series.csv", "/sources.csv", "/readouts.csv", "/evidence.csv"),
    "/readouts/{readout}.csv",
)


@pytest.fixture
def places(acme: Source) -> dict[str, int]:
    """acme with a series and its work, every name of which is code."""
    Source.objects.filter(pk=acme.pk).update(name=SCRIPT, problem=SCRIPT)
    series = Series.objects.create(source=acme, project_id="proj_a", model=SCRIPT)
    Project.objects.create(source=acme, project_id="proj_a", name=SCRIPT)
    ApiKeyName.objects.create(source=acme, api_key_id="key_1", project_id="proj_a", name=SCRIPT)
    run = make_run(acme, status=IngestRun.Status.FAILED)
    return {"series": series.pk, "run": run.pk, **work_on(series)}


def test_an_answer_is_never_a_page_whatever_it_quotes(
    owner: Caller, places: dict[str, int]
) -> None:
    quoted = 0
    for path in READS:
        answer = owner.get(path.format(**places).replace("model=gpt-5.4", "model=x"))
        assert answer["Content-Type"].partition(";")[0] == "application/json"
        assert answer["X-Content-Type-Options"] == "nosniff"
        quoted += json.dumps(SCRIPT)[1:-1] in answer.content.decode()
    assert quoted > 5  # the names are told as they are: what shows them makes text of them


@pytest.mark.parametrize(
    "path",
    [f"/{SCRIPT}", f"/series/acme/proj_a/{SCRIPT}", f"/signin?reason={SCRIPT}", f"{API}/{SCRIPT}"],
)
def test_what_is_asked_is_not_repeated_in_a_page(client: Client, db: None, path: str) -> None:
    answer = client.get(path)
    assert "<script>window" not in answer.content.decode()


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (SCRIPT, "<p>&lt;script&gt;window.hacked=1&lt;/script&gt;&lt;img src=x onerror=window.hacked=1&gt;</p>"),
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"),
        ("[a](JaVaScRiPt:alert(1))", "<p>[a](JaVaScRiPt:alert(1))</p>"),
        ("[a](data:text/html,x)", "<p>[a](data:text/html,x)</p>"),
        ("[a](vbscript:x)", "<p>[a](vbscript:x)</p>"),
        ("[a](&#106;avascript:x)", "<p>[a](javascript:x)</p>"),
        ("<https://x.example>", '<p><a href="https://x.example" rel="noopener noreferrer">https://x.example</a></p>'),
        ("![a](https://evil.example/x.png)", "<p></p>"),
        ("<b onclick=x>a</b>", "<p>&lt;b onclick=x&gt;a&lt;/b&gt;</p>"),
        ("# a <svg onload=x>", "<h1>a &lt;svg onload=x&gt;</h1>"),
        ('[a](https://x.example "onmouseover=x")', '<p><a href="https://x.example" title="onmouseover=x" rel="noopener noreferrer">a</a></p>'),
        ("| a |\n|---|\n| <style>x</style> |", None),
        ("```html\n<script>\n```", "<pre><code>&lt;script&gt;\n</code></pre>"),
    ],
)  # fmt: skip
def test_markdown_is_html_without_code(text: str, html: str | None) -> None:
    made = safe_html(parsed(text)).strip()
    if html is not None:
        assert made == html
    for word in ("<script", "<style", "<img", "<svg", "<iframe", "<form", "<b onclick"):
        assert word not in made


def test_a_note_of_the_team_comes_back_as_text_and_as_safe_html(
    owner: Caller, places: dict[str, int]
) -> None:
    path = f"/series/{places['series']}/team-note"
    assert owner.call("PUT", path, {"text": f"# x\n\n{SCRIPT}"}).status_code == 200
    note = owner.get(f"/series/{places['series']}/work").json()["team_note"]
    assert note["text"] == f"# x\n\n{SCRIPT}"
    assert "<script" not in note["html"]
    assert "<img" not in note["html"]


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_cell_of_any_file_begins_a_formula(
    owner: Caller, places: dict[str, int], formula: str
) -> None:
    Source.objects.update(name=formula)
    Series.objects.update(model=formula, project_id=formula)
    Project.objects.update(name=formula, project_id=formula)
    User.objects.update(name=formula)
    IngestRun.objects.update(sentence=formula) if _has(IngestRun, "sentence") else None
    owner.call("PATCH", f"/markers/{places['marker']}", {"note": formula.strip() or formula})
    seen = 0
    for address in CSV_ADDRESSES:
        answer = owner.client.get(address.format(**places))
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        assert answer["Content-Disposition"].startswith('attachment; filename="')
        for row in csv.reader(io.StringIO(answer.content.decode(), newline="")):
            for cell in row:
                assert not _runs(cell), (address, cell)
                seen += formula in cell
    assert seen > 0


def _has(model: Any, name: str) -> bool:
    return name in {one.name for one in model._meta.get_fields()}


def _runs(cell: str) -> bool:
    """Whether a spreadsheet could take a cell for a formula; a plain number is none."""
    try:
        float(cell)
    except ValueError:
        pass
    else:
        return False
    shown = [one for one in cell if unicodedata.category(one)[0] not in "ZCM"]
    return bool(shown) and unicodedata.normalize("NFKC", shown[0]) in ("=", "+", "-", "@")
