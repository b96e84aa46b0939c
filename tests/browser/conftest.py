"""The real product, and a real browser looking at it."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tests.product import Product

# For a slow machine: what is there is found at once.
FIRST_VERDICT_MS = 300_000
DEADLINE_MS = 30_000
expect.set_options(timeout=DEADLINE_MS)

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# Root may not use the sandbox; the rest keeps the browser off any network.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass
class Running:
    """The product: its address, and the link that signs the owner in once."""

    address: str
    sign_in_link: str
    simulator_address: str


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        sentence = "no Chromium on this machine: apt-get install chromium"
        if os.environ.get("CACHEWATCH_REQUIRE_BROWSER") == "1":
            pytest.fail(sentence)
        pytest.skip(sentence)
    return {"executable_path": found, "args": FLAGS}


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    """A first start on an empty folder, reading the bundled simulator."""
    folder = Path(tempfile.mkdtemp(prefix="cachewatch-browser-"))
    folder.chmod(0o711)  # as root, Postgres runs as another user and must get in
    product = Product(folder / "local", CACHEWATCH_DEMO="auto")
    try:
        address = product.wait_until_open()
        listening = (folder / "local" / "logs" / "simulator.log").read_text().splitlines()
        simulator = next(line.split()[-1] for line in listening if line.startswith("listening on"))
        yield Running(address, product.sign_in_link, simulator)
    finally:
        product.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def signed_in(running: Running, browser: Browser) -> Iterator[BrowserContext]:
    """A browser of the owner, who followed the printed link."""
    context = browser.new_context(
        base_url=running.address, viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(running.sign_in_link)
    page.wait_for_url(running.address + "/**")
    page.close()
    yield context
    context.close()


@pytest.fixture(scope="module")
def verdicts(signed_in: BrowserContext) -> None:
    """The first week is read and classified; waited for once."""
    page = signed_in.new_page()
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        re.compile(r" of \d+ series( loses? |$)"), timeout=FIRST_VERDICT_MS
    )
    page.close()


@pytest.fixture
def page(signed_in: BrowserContext) -> Iterator[Page]:
    """A page of the owner's; a script error or a refused resource fails the test."""
    page = signed_in.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda line: line.type == "error" and problems.append(_told(line)))
    yield page
    page.close()
    # A refused form answers 422, which the browser reports as an error of its own.
    assert [text for text in problems if "status of 422" not in text] == []


def _told(line: ConsoleMessage) -> str:
    return f"{line.text} ({line.location.get('url', '')})"
