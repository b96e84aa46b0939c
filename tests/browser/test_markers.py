"""Repairs marked as shipped, and what their readouts say, in a real browser on the real stack."""

from __future__ import annotations

import json
import re
import subprocess
import urllib.request
from datetime import UTC, datetime, timedelta
from os import environ
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Running
from tests.product import ROOT

pytestmark = [
    pytest.mark.browser,
    pytest.mark.stack,
    pytest.mark.timeout(900),
    pytest.mark.usefixtures("verdicts"),
]

REPAIRED = "/series/demo/proj_docSearch02/gpt-5.4-2026-03-05"
PER_REQUEST = "/series/demo/proj_ticketTri03/gpt-5.2-2025-12-11"
BREAKPOINT = "/series/demo/proj_agentRuns12/gpt-5.6-terra"
ROLLED_BACK = "/series/demo/proj_policyQa22/gpt-5.4-2026-03-05"
MARKED_BY_CI = "/series/demo/proj_supportAg04/gpt-5.4-2026-03-05"
MINUTE_MS = 60_000
# Findings follow their verdicts once a minute.
FOLLOWED_MS = 150_000
# Read back, the first measurement comes within a minute of the marker.
MEASURED_MS = 150_000
SCATTERS = "A key per request scatters like no key: it is used once"
CAVEAT = (
    "This is a before/after comparison, not an experiment. "
    "It shows a change at this time, not why it happened."
)


def shipped_at(running: Running, story: str) -> str:
    """When the simulator says that the repair of a story shipped, as the form's field takes it."""
    with urllib.request.urlopen(running.simulator_address + "/_simulator/world") as answer:
        world = json.load(answer)
    told = next(one for one in world["stories"] if one["name"] == story)
    hour = told["markers"][0]["hour"]
    return f"{datetime.fromtimestamp(hour * 3600, UTC):%Y-%m-%dT%H:%M}"


def open_readout(page: Page) -> None:
    """Follow the marker to its readout, and wait until it is measured."""
    page.locator(".markerlist .readoutlink").first.click()
    page.wait_for_url("**/readouts/*")
    expect(page.get_by_role("table", name="Measures before and after")).to_be_visible(
        timeout=MEASURED_MS
    )
    expect(page.locator(".banner").filter(has_text=CAVEAT)).to_be_visible()


def state_of(page: Page):
    return page.locator(".ids .st")


def measure(page: Page, label: str):
    return (
        page.get_by_role("table", name="Measures before and after")
        .get_by_role("row")
        .filter(has_text=label)
    )


def test_a_key_marked_as_shipped_on_the_repaired_series_reads_improved_with_its_numbers(
    running: Running, page: Page
):
    page.goto(REPAIRED)
    form = page.get_by_role("form", name="Mark key shipped")
    form.get_by_label("When it reached all traffic (UTC)").fill(
        shipped_at(running, "scatter-repaired")
    )
    form.get_by_label("Key name or shape, never a real value").fill("doc-search:{tenant}")
    form.get_by_label("One key for each").select_option(label="Tenant or document")
    form.get_by_role("button", name="Mark key shipped").click()
    expect(page.get_by_role("heading", name="One change is marked")).to_be_visible()
    open_readout(page)
    expect(state_of(page)).to_have_text("Improved")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        re.compile(r"^Busy-hour cached share rose from \d+\.\d% to \d+\.\d% after the key shipped")
    )
    busy = measure(page, "Busy-hour cached share")
    expect(busy).to_contain_text(re.compile(r"\+\d+\.\d\s*\+\d+\.\d to \+\d+\.\d"))
    expect(busy).to_contain_text("as expected")
    expect(page.get_by_role("heading", name="The two windows carried")).to_be_visible()


def test_a_key_per_request_is_warned_of_and_reads_no_detectable_change(
    running: Running, page: Page
):
    page.goto(PER_REQUEST)
    form = page.get_by_role("form", name="Mark key shipped")
    form.get_by_label("When it reached all traffic (UTC)").fill(
        shipped_at(running, "scatter-repaired")
    )
    form.get_by_label("Key name or shape, never a real value").fill("triage-{request}")
    form.get_by_label("One key for each").select_option(label="Request")
    expect(form.get_by_text(SCATTERS)).to_be_visible()
    form.get_by_role("button", name="Mark key shipped").click()
    open_readout(page)
    expect(state_of(page)).to_have_text("No detectable change")
    expect(page.get_by_role("heading", level=1)).to_contain_text("no detectable change")
    expect(page.locator(".note").filter(has_text="in 80% of cases")).to_be_visible()


def test_a_breakpoint_that_was_set_reads_improved_with_its_cost(running: Running, page: Page):
    page.goto(BREAKPOINT)
    page.get_by_label("What happened").select_option(label="Breakpoint set or moved")
    form = page.get_by_role("form", name="Mark breakpoint changed")
    form.get_by_label("When it reached all traffic (UTC)").fill(
        shipped_at(running, "breakpoint-repair")
    )
    form.get_by_label("Where the breakpoint stands").fill("after the tool block")
    form.get_by_label("Mode").select_option(label="Explicit")
    form.get_by_role("button", name="Mark breakpoint changed").click()
    open_readout(page)
    expect(state_of(page)).to_have_text("Improved")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        re.compile(r"net input cost per request fell by \d+%$")
    )
    expect(measure(page, "Net input cost per request")).to_contain_text("as expected")


def test_the_list_has_every_readout_and_keeps_the_chosen_state_in_the_address(page: Page):
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("avoidable")
    page.keyboard.press("g")
    page.keyboard.press("r")
    page.wait_for_url("**/readouts")
    # Measured again as older weeks come in, which the fake markers need.
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Of three readouts, two improved and one without a claim", timeout=MEASURED_MS
    )
    improved = page.get_by_role("checkbox", name=re.compile("^Improved"))
    improved.click()
    expect(page).to_have_url(re.compile(r"/readouts\?state=improved$"))
    expect(improved).to_be_checked()
    expect(page.get_by_role("table").locator("tbody tr")).to_have_count(2)


def test_no_page_of_readouts_scrolls_sideways_on_a_phone(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    for path in ("/readouts", "/readouts/1", REPAIRED):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") == 390, path


def test_a_finding_resolved_with_its_marker_reads_regressed_as_later_hours_have_the_fault_again(
    running: Running, page: Page
):
    page.goto(ROLLED_BACK)
    rail = page.get_by_role("complementary")
    resolve = rail.get_by_role("button", name="Mark finding resolved")
    expect(resolve).to_be_visible(timeout=FOLLOWED_MS)
    form = page.get_by_role("form", name="Mark key shipped")
    form.get_by_label("When it reached all traffic (UTC)").fill(
        shipped_at(running, "repair-rolled-back")
    )
    form.get_by_label("Key name or shape, never a real value").fill("policy-qa:{tenant}")
    form.get_by_label("One key for each").select_option(label="Tenant or document")
    form.get_by_role("button", name="Mark key shipped").click()
    expect(page.get_by_role("heading", name="One change is marked")).to_be_visible()
    resolve.click()
    expect(rail.get_by_role("heading", name="Resolved")).to_be_visible()
    # The key held for eight days; the week of the verdict begins after it was dropped.
    expect(rail.get_by_role("heading", name="Regressed")).to_be_visible(timeout=FOLLOWED_MS)
    expect(rail.get_by_text("the verdict is back in hours after the repair")).to_be_visible()
    answer = page.request.get("/api/v1/findings?state=regressed").json()
    assert [one["project_id"] for one in answer["items"]] == ["proj_policyQa22"]
    page.goto("/?finding=regressed&attention=sudden")
    expect(page.get_by_role("heading", level=2).filter(has_text="1 of ")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="policy-qa")).to_contain_text("Regressed")
    expect(page.get_by_role("listitem").filter(has_text="policy-qa")).to_contain_text("Regressed")


def documented_curl(named: dict[str, str]) -> str:
    """The command of docs/markers.md as it stands there, with other names in its body."""
    text = (ROOT / "docs" / "markers.md").read_text()
    (command,) = re.findall(r"```sh\n(curl [^`]*/api/v1/markers\"[^`]*)```", text)
    for name, value in named.items():
        command, changed = re.subn(f'"{name}": "[^"]*"', f'"{name}": "{value}"', command)
        assert changed == 1, name
    return command


def run_by_ci(command: str, running: Running, token: str) -> dict[str, Any]:
    """What the command prints, run by a shell that knows only the address and the token."""
    known = {"CACHEWATCH_URL": running.address, "CACHEWATCH_TOKEN": token}
    done = subprocess.run(
        ["sh", "-c", command],
        env={"PATH": environ["PATH"], **known},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(json.loads(done.stdout))


def made_token(page: Page, scope: str) -> str:
    page.goto("/settings")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    cookies = {one["name"]: one["value"] for one in page.context.cookies()}
    answer = page.request.post(
        "/api/v1/tokens",
        data={"name": "ci", "scopes": [scope]},
        headers={"X-CSRFToken": cookies["csrftoken"]},
    )
    assert answer.status == 201, answer.text()
    return str(answer.json()["token"])


def test_a_marker_posted_by_the_documented_curl_is_on_the_chart_and_in_its_readout_in_a_minute(
    running: Running, page: Page
):
    shipped = (datetime.now(UTC) - timedelta(days=6)).replace(minute=0, second=0, microsecond=0)
    _, _, source, project, model = MARKED_BY_CI.split("/")
    command = documented_curl(
        {"source": source, "project_id": project, "model": model, "at": f"{shipped:%FT%TZ}"}
    )
    token = made_token(page, "annotate")
    made = run_by_ci(command, running, token)
    (readout,) = made["rollout"]["readouts"]
    label = f"key shipped {shipped:%a} {shipped.day} {shipped:%b %H:%M}"
    page.goto(f"/readouts/{readout['id']}")
    expect(page.get_by_role("table", name="Measures before and after")).to_be_visible(
        timeout=MINUTE_MS
    )
    expect(page.locator("svg").get_by_text(label).first).to_be_visible()
    expect(page.locator(".ids")).to_contain_text("rag-{tenant}")
    page.goto(MARKED_BY_CI)
    expect(page.locator("svg").get_by_text(label).first).to_be_visible(timeout=MINUTE_MS)
    assert run_by_ci(command, running, token)["id"] == made["id"]
