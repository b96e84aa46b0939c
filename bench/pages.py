"""The first load of each page in Chromium, and how long a chart of 28 days takes to be drawn again.

First load: an empty browser cache; bytes over the network, seconds to the first content of the page.
Redraw: scripts, style and layout of one pointer step over the chart, by the browser's own counters.
"""

from __future__ import annotations

import shutil
from statistics import median
from typing import Any

from bench.database import servers
from bench.part import Figures, Options
from bench.web import WebServer, web_server

SERIES, HOURS = 200, 672
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
# Page -> its address, and what shows that its first content is there.
PAGES = {
    "overview_and_series": ("/", "main table tbody tr:visible"),
    "series": ("{path}?from={start}&to={end}", "#timeline svg.chart"),
    "sources": ("/sources", "main table tbody tr:visible"),
    "how_it_decides": ("/how", "main h1:visible"),
}
REDRAW_TARGET_MS = 16.0
STEPS = 40
WAIT_MS = 120_000


def run(options: Options) -> Figures:
    """Figures of each page; none where this machine has no Chromium."""
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        return {"not_measured": "no Chromium on this machine"}
    with servers() as started:
        from bench.answers_work import prepare, session_of
        from bench.stored import Fill

        stored = prepare(Fill(options.size(SERIES, 5), options.fixed(HOURS, 200)))
        session = session_of("owner@example.org")
        with web_server(started.environment) as server:
            return _with_browser(browser, server, dict(stored.places), session, options)


def _with_browser(
    browser: str, server: WebServer, places: dict[str, str], session: str, options: Options
) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=FLAGS)
        try:
            loads = {
                name: _first_load(
                    chromium, server, session, path.format_map(places), content, options
                )
                for name, (path, content) in PAGES.items()
            }
            path = PAGES["series"][0].format_map(places)
            return {"first_load": loads, "chart": _redraw(chromium, server, session, path, options)}
        finally:
            chromium.close()


def _page(chromium: Any, server: WebServer, session: str) -> Any:
    """A page of a browser without a cache, signed in."""
    context = chromium.new_context(
        base_url=server.url, viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
    )
    context.add_cookies([{"name": "sessionid", "value": session, "url": server.url}])
    return context.new_page()


def _first_load(
    chromium: Any, server: WebServer, session: str, path: str, content: str, options: Options
) -> dict[str, Any]:
    seconds, sizes, requests = [], [], 0
    for _ in range(options.runs):
        page = _page(chromium, server, session)
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        received: list[float] = []
        network.on(
            "Network.loadingFinished", lambda one, to=received: to.append(one["encodedDataLength"])
        )
        page.goto(path, wait_until="commit", timeout=WAIT_MS)
        page.locator(content).first.wait_for(timeout=WAIT_MS)
        seconds.append(page.evaluate("performance.now()") / 1e3)
        page.wait_for_load_state("networkidle", timeout=WAIT_MS)
        sizes.append(sum(received))
        requests = len(received)
        page.context.close()
    return {
        "kilobytes": round(median(sizes) / 1024, 1),
        "requests": requests,
        "seconds_to_content": [round(one, 3) for one in seconds],
        "median_seconds_to_content": round(median(seconds), 3),
    }


def _redraw(
    chromium: Any, server: WebServer, session: str, path: str, options: Options
) -> dict[str, Any]:
    page = _page(chromium, server, session)
    page.goto(path, timeout=WAIT_MS)
    chart = page.locator("#timeline svg.chart").first
    chart.wait_for(timeout=WAIT_MS)
    chart.scroll_into_view_if_needed(timeout=WAIT_MS)  # else no step would meet it
    page.wait_for_load_state("networkidle", timeout=WAIT_MS)
    counters = page.context.new_cdp_session(page)
    counters.send("Performance.enable")
    milliseconds = [_steps_over(page, chart, counters) for _ in range(options.runs)]
    page.context.close()
    worst = median(milliseconds)
    return {
        "milliseconds_a_redraw": [round(one, 2) for one in milliseconds],
        "median_milliseconds": round(worst, 2),
        "target_milliseconds": {"at_most": REDRAW_TARGET_MS},
        "met": worst <= REDRAW_TARGET_MS,
    }


def _steps_over(page: Any, chart: Any, counters: Any) -> float:
    """Milliseconds of script, style and layout for one pointer step over the chart."""
    box = chart.bounding_box()
    before = _busy_seconds(counters)
    for step in range(STEPS):
        x = box["x"] + box["width"] * (0.1 + 0.8 * step / STEPS)
        page.mouse.move(x, box["y"] + box["height"] / 2)
        page.evaluate("() => new Promise(requestAnimationFrame)")
    return float(1e3 * (_busy_seconds(counters) - before) / STEPS)


def _busy_seconds(counters: Any) -> float:
    names = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")
    found = {
        one["name"]: one["value"] for one in counters.send("Performance.getMetrics")["metrics"]
    }
    return float(sum(found[name] for name in names))
