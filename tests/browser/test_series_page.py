"""The page of a series in a real browser: parts of the week, colours, markers, keys."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.stack,
    pytest.mark.timeout(900),
    pytest.mark.usefixtures("verdicts"),
]

SCATTERS = "/series/demo/proj_ragAnswer01/gpt-5.4-2026-03-05"
REPAIRED = "/series/demo/proj_docSearch02/gpt-5.4-2026-03-05"
OPENS_READOUT = re.compile(r"^key shipped .+: open its readout$")


def rows_of_parts(page: Page) -> Locator:
    return page.locator("#parts").get_by_role("row")


def test_every_part_of_the_week_shows_the_fall_with_its_tokens(page: Page) -> None:
    page.goto(SCATTERS)
    heading = page.locator("#parts").get_by_role("heading", level=2)
    # After a quiet weekend there may be an onset, whose parts are beside these and may be level.
    expect(heading).to_have_text(re.compile(r"[Ff]all under load"))
    for name in ("All linked hours", "Weekdays", "Weekend", "Busiest 24 hours left out"):
        part = page.locator("#parts").get_by_role("rowheader", name=name, exact=True)
        expect(part).to_have_count(1)
    weekend = rows_of_parts(page).filter(has_text="Weekend")
    expect(weekend).to_contain_text(re.compile(r"\d+%\s*[\d.]+M / [\d.]+M"))


def test_the_heat_map_pools_four_weeks(page: Page) -> None:
    page.goto(SCATTERS)
    expect(page.locator("#week .how")).to_have_text("four weeks pooled, UTC")
    expect(page.locator("#week .cell")).to_have_count(168)


def test_a_repair_divides_the_week_colours_the_dots_and_opens_its_readout(page: Page) -> None:
    page.goto(REPAIRED)
    form = page.get_by_role("form", name="Mark key shipped")
    shipped = datetime.now(UTC) - timedelta(days=4)
    form.get_by_label("When it reached all traffic (UTC)").fill(f"{shipped:%Y-%m-%dT%H:00}")
    form.get_by_label("Key name or shape, never a real value").fill("doc-search:{tenant}")
    form.get_by_role("button", name="Mark key shipped").click()
    expect(rows_of_parts(page).filter(has_text="Before ")).to_have_count(1)
    expect(rows_of_parts(page).filter(has_text="After ")).to_have_count(1)
    page.get_by_role("link", name="Before / after key shipped").click()
    page.wait_for_url(f"**{REPAIRED}?colour=rollout*")
    expect(page.locator("#load .legend")).to_contain_text(re.compile(r"before key shipped \(\d+\)"))
    page.locator("#timeline").get_by_role("link", name=OPENS_READOUT).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/readouts/*")
    page.go_back()
    page.locator("#timeline .markerlink span").first.click()
    page.wait_for_url("**/readouts/*")


def test_keys_lead_to_the_form_to_the_comment_and_to_the_next_series(page: Page) -> None:
    page.goto(SCATTERS)
    expect(page.get_by_role("form", name="Mark key shipped")).to_be_visible()
    expect(page.get_by_label("Comment")).to_be_visible()
    expect(page.get_by_role("button", name="Next series")).to_be_visible()
    page.keyboard.press("m")
    expect(page.get_by_label("What happened")).to_be_focused()
    page.get_by_label("What happened").blur()
    page.keyboard.press("c")
    expect(page.get_by_label("Comment")).to_be_focused()
    page.get_by_label("Comment").blur()
    page.keyboard.press("]")
    expect(page).not_to_have_url(re.compile(re.escape(SCATTERS)))
    expect(page.locator(".ids .name")).not_to_contain_text("rag-answer")
    page.keyboard.press("[")
    expect(page).to_have_url(re.compile(re.escape(SCATTERS)))


def test_dragging_over_the_timeline_puts_its_hours_into_the_address(page: Page) -> None:
    page.goto(SCATTERS)
    picker = page.locator("#timeline .picker")
    picker.scroll_into_view_if_needed()
    box = picker.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 300, box["y"] + 80)
    page.mouse.down()
    page.mouse.move(box["x"] + 450, box["y"] + 80, steps=5)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"\?from=\d{4}-\d\d-\d\dT\d\d&to=\d{4}-\d\d-\d\dT\d\d"))


def test_the_call_from_ci_names_the_series(page: Page) -> None:
    page.goto(SCATTERS)
    page.get_by_text("From CI instead").click()
    call = page.get_by_label("The call that marks it from CI")
    expect(call).to_contain_text('"project_id": "proj_ragAnswer01"')
    expect(call).to_contain_text("$CACHEWATCH_TOKEN")
