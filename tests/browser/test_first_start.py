"""From the first start to a verdict, as a newcomer meets it, in a real browser on the real stack."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from ingest.simulator.access import DEMO_KEY
from ingest.simulator.api import Api
from tests.browser.conftest import Running
from tests.browser.hours import hours_of_file, hours_of_table
from tests.ingest.serving import api_served
from tests.product import ROOT

pytestmark = [
    pytest.mark.browser,
    pytest.mark.stack,
    pytest.mark.timeout(900),
    pytest.mark.usefixtures("verdicts"),
]

SCATTER_SERIES = "/series/demo/proj_ragAnswer01/gpt-5.4-2026-03-05"
AXE = ROOT / "frontend/node_modules/axe-core/axe.min.js"
WRONG_KEY = (
    "The provider does not accept this key (401): it is wrong, revoked or expired; an admin key of "
    "the organization (sk-admin-...) with the scope api.usage.read is needed."
)
PROJECT_KEY = (
    "This is a project key (sk-proj). OpenAI refuses it for usage. "
    "The key must start with sk-admin."
)
NO_SCOPE = (
    "The key lacks the scope api.usage.read: make an admin key of the organization (sk-admin-...) "
    "that has it at platform.openai.com/settings/organization/admin-keys; "
    "adding it to an existing key may not work."
)


def rows_of_series(page: Page):
    return page.get_by_role("table").first.locator("tbody tr")


def test_the_printed_link_leads_to_verdicts_on_demo_data(page: Page):
    page.goto("/")
    expect(page.get_by_text("demo data").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        re.compile(
            r"^(up to )?\$.+ a week avoidable(, (\d+%|nearly all) of it)? in \d+ of \d+ series$"
        )
    )
    row = rows_of_series(page).filter(has_text="Misses rise with load").first
    expect(row).to_contain_text(re.compile(r"\d+%"))


def test_the_link_signs_in_once_only_and_says_so(running: Running, browser: Browser):
    stranger = browser.new_context(base_url=running.address)
    page = stranger.new_page()
    page.goto(running.sign_in_link)
    expect(page).to_have_url(re.compile(r"/signin\?reason=link-used$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    expect(page.get_by_text("This sign-in link was used before")).to_be_visible()
    stranger.close()


def test_filters_live_in_the_address(page: Page):
    page.goto("/?verdict=no-cached-tokens")
    rows = rows_of_series(page)
    expect(rows.first).to_contain_text("No cached tokens")
    shown = rows.count()
    assert [("No cached tokens" in text) for text in rows.all_inner_texts()] == [True] * shown
    page.get_by_role("searchbox").fill("nano")
    expect(page).to_have_url(re.compile(r"verdict=no-cached-tokens.*q=nano|q=nano.*verdict="))
    expect(rows).to_have_count(1)
    page.reload()
    expect(page.get_by_role("searchbox")).to_have_value("nano")
    expect(rows).to_have_count(1)


def test_the_square_brackets_and_the_crumb_follow_the_filtered_order(page: Page):
    page.goto("/?verdict=healthy&sort=project")
    links = rows_of_series(page).locator("td.proj a")
    expect(rows_of_series(page).first).to_contain_text("No finding")
    first, second = (links.nth(index).get_attribute("href") for index in (0, 1))
    links.first.click()
    expect(page).to_have_url(re.compile(re.escape(first or "-") + "$"))
    expect(page.get_by_role("button", name="Next series")).to_be_visible()
    page.keyboard.press("]")
    expect(page).to_have_url(re.compile(re.escape(second or "-") + "$"))
    expect(page.get_by_role("button", name="Previous series")).to_be_visible()
    page.keyboard.press("[")
    expect(page).to_have_url(re.compile(re.escape(first or "-") + "$"))
    crumb = page.get_by_role("navigation", name="Where this is")
    crumb.get_by_role("link", name="Overview").click()
    expect(page).to_have_url(re.compile(r"/\?verdict=healthy&sort=project$"))


def test_a_series_page_says_the_finding_and_shows_its_numbers_as_a_table(page: Page):
    page.goto(SCATTER_SERIES)
    found = page.request.get("/api/v1/series?q=rag-answer").json()["items"][0]
    assert found["path"] == SCATTER_SERIES
    expect(page.get_by_role("heading", level=1)).to_have_text(found["verdict"]["sentence"])
    expect(page.get_by_text(found["verdict"]["word"]).first).to_be_visible()
    chart = page.get_by_role("img", name=re.compile("Cached share against requests per hour"))
    expect(chart).to_be_visible()
    expect(page.get_by_text("Rank correlation").first).to_be_visible()
    page.get_by_role("link", name="Table of share against load").click()
    expect(page).to_have_url(re.compile(r"view=table"))
    table = page.get_by_role("table", name="Hours with requests, fewest requests first")
    expect(table).to_be_visible()
    assert table.locator("tbody tr").count() > 24


def test_the_csv_of_a_series_holds_the_hours_that_the_page_shows(page: Page):
    page.goto(SCATTER_SERIES + "?view=table")
    expect(page.get_by_role("region", name="Hours in order")).to_be_visible()
    shown, filed = hours_of_table(page), hours_of_file(page)
    if shown != filed:  # an hour came in between
        page.reload()
        expect(page.get_by_role("region", name="Hours in order")).to_be_visible()
        shown, filed = hours_of_table(page), hours_of_file(page)
    assert shown == filed
    assert len([hour for hour in shown if hour[-1].startswith("yes")]) > 100


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("sk-admin-wrong-key-0123456789", WRONG_KEY),
        ("sk-admin-demo-management-only", NO_SCOPE),
        ("sk-proj-4kZt8", PROJECT_KEY),
    ],
)
def test_a_key_that_cannot_read_usage_is_refused_in_place_with_what_is_needed(
    page: Page, running: Running, key: str, sentence: str
):
    field = fill_source_form(page, running.simulator_address + "/v1", key)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(sentence)
    expect(field).to_be_focused()
    expect(field).to_have_value(key)
    assert page.request.get("/api/v1/sources").json()["total"] == 1


def fill_source_form(page: Page, base_url: str, key: str):
    """Fill in the form of a new source and send it; the field of the key."""
    page.goto("/sources/new")
    page.get_by_label("Name").fill("Acme")
    page.get_by_label("Admin key").fill(key)
    page.get_by_text("Address and settle time").click()
    page.get_by_label("Base URL").fill(base_url)
    page.get_by_role("button", name="Test and connect").click()
    return page.get_by_label("Admin key")


def test_the_keyboard_moves_through_the_rows_and_opens_a_series(page: Page):
    page.goto("/")
    expect(rows_of_series(page).nth(1)).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("j")
    # What needs attention, if anything does, comes before the table.
    current = page.locator('ol > li[aria-current="true"], tbody tr[aria-current="true"]')
    expect(current).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/series/demo/"))


def open_and_settle(page: Page, path: str) -> None:
    page.goto(path)
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.parametrize(
    "path", ["/", SCATTER_SERIES, "/sources", "/sources/new", "/settings", "/signin"]
)
def test_axe_finds_no_serious_violation_in_either_theme(page: Page, path: str):
    open_and_settle(page, path)
    # The page's own policy forbids inline scripts; evaluate() runs outside of it.
    page.evaluate(AXE.read_text())
    assert {theme: serious_violations(page, theme) for theme in ("light", "dark")} == {
        "light": [],
        "dark": [],
    }


def serious_violations(page: Page, theme: str) -> list[tuple[str, str, list[list[str]]]]:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        (one["id"], one["impact"], [node["target"] for node in one["nodes"]][:3])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("path", ["/", SCATTER_SERIES, "/sources", "/settings", "/signin"])
def test_no_page_scrolls_sideways(page: Page, path: str):
    open_and_settle(page, path)
    widths = (1440, 1024, 970, 820, 700, 390, 320)
    assert {width: overhang(page, width) for width in widths} == dict.fromkeys(widths, 0)


def overhang(page: Page, width: int) -> int:
    """By how many pixels the page is wider than its window, once its charts are drawn again."""
    page.set_viewport_size({"width": width, "height": 900})
    too_wide = "document.documentElement.scrollWidth - innerWidth"
    wider = int(page.evaluate(too_wide))
    for _ in range(50):  # the page's policy forbids Chromium's own waiting on an expression
        if wider <= 0:
            return 0
        page.wait_for_timeout(100)
        wider = int(page.evaluate(too_wide))
    return wider


@pytest.fixture
def provider(page: Page, signed_in: BrowserContext) -> Iterator[tuple[str, Api]]:
    """The base URL of another organization, and its Api; afterwards the demo is what it was."""
    with api_served(series=2, days=3) as served:
        yield served
        cookies = {one["name"]: one["value"] for one in signed_in.cookies()}
        headers = {"X-CSRFToken": cookies["csrftoken"]}
        for source in page.request.get("/api/v1/sources").json()["items"]:
            if source["kind"] != "demo":
                page.request.delete(f"/api/v1/sources/{source['slug']}", headers=headers)
        page.request.patch("/api/v1/sources/demo", headers=headers, data={"paused": False})


def test_a_stored_source_whose_key_was_revoked_says_so_on_the_sources_page(
    page: Page, provider: tuple[str, Api]
):
    base_url, api = provider
    fill_source_form(page, base_url, DEMO_KEY)
    expect(page).to_have_url(re.compile(r"/sources\?source=acme$"))
    expect(page.get_by_role("heading", name="OpenAI connection is healthy")).to_be_visible()
    api.access.admin_key = "sk-admin-made-after-the-old-one-was-revoked"
    page.get_by_role("button", name="Test connection").click()
    expect(page.get_by_role("heading", name="OpenAI connection has a problem")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="OpenAI connection has a problem")).to_be_visible()
    expect(page.get_by_text(WRONG_KEY).first).to_be_visible()
    expect(page.get_by_text("api.usage.read is missing")).to_be_visible()
