"""Names and notes that are code, in the real pages: shown as text, and nothing of them runs."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Running

CODE = (
    "\"><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>"
    "<a href='javascript:window.hacked=1'>x</a>"
)

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("verdicts")]


def sent(context: BrowserContext, method: str, path: str, body: dict[str, Any]) -> Any:
    """The answer to a write of the signed-in owner."""
    token = next(one["value"] for one in context.cookies() if one["name"] == "csrftoken")
    answer = context.request.fetch(
        f"/api/v1{path}", method=method, data=body, headers={"X-CSRFToken": token}
    )
    assert answer.ok, answer.text()
    return answer.json()


def test_code_in_names_and_notes_is_shown_and_does_not_run(
    signed_in: BrowserContext, page: Page
) -> None:
    series = signed_in.request.get("/api/v1/series?limit=1").json()["items"][0]
    sent(signed_in, "PATCH", f"/sources/{series['source']['slug']}", {"name": CODE})
    sent(signed_in, "PATCH", "/me", {"name": CODE})
    sent(signed_in, "PUT", f"/series/{series['id']}/team-note", {"text": CODE})
    sent(signed_in, "POST", f"/series/{series['id']}/comments", {"text": CODE})
    marker = {"source": series["source"]["slug"], "series_id": series["id"], "note": CODE}
    sent(signed_in, "POST", "/markers", marker | {"kind": "deploy"})
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for address in ("/", series["path"], "/sources", "/settings", "/readouts", f"/?q={CODE}"):
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("window.hacked === undefined"), address
        assert page.locator("img[src=x], a[href^='javascript:']").count() == 0, address
    assert dialogs == []
    page.goto("/sources")
    expect(page.get_by_text(CODE).first).to_be_attached()


def test_the_browser_refuses_inline_code_that_got_into_a_page(
    signed_in: BrowserContext, running: Running
) -> None:
    page = signed_in.new_page()
    page.goto(running.address)
    page.evaluate(
        """() => {
            document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.hacked=1'>");
            const script = document.createElement("script");
            script.textContent = "window.hacked=1";
            document.body.append(script);
        }"""
    )
    page.wait_for_timeout(500)
    assert page.evaluate("window.hacked === undefined")
    page.close()


def test_the_docs_page_of_the_api_works_under_its_policy(page: Page) -> None:
    page.goto("/api/v1/docs")
    expect(page.get_by_role("heading", name="cachewatch")).to_be_visible()
    expect(page.locator(".opblock").first).to_be_visible()
