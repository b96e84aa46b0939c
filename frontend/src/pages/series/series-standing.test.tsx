import { configure, screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import type { Control, SeriesDetail, SeriesMinutes } from "../../api/types";
import { me } from "../../testing/fixtures";
import { renderApp } from "../../testing/render-app";
import { historyFixture, hoursFixture, minutesFixture, readMinutesFixture, seriesFixture } from "../../testing/series-fixture";
import { answer, refuse, server } from "../../testing/server";

// The page draws thousands of marks, which takes jsdom its time.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });

const ADDRESS = "/series/acme/proj_rag/gpt-5.4";
const verdict = seriesFixture().verdict!;

function serve(changes: Partial<SeriesDetail> = {}, minutes: Partial<SeriesMinutes> = {}) {
  server.use(
    answer("get", "/series/by-path", seriesFixture(changes)),
    answer("get", "/series/:id/hours", hoursFixture()),
    answer("get", "/series/:id/verdicts", historyFixture()),
    answer("get", "/series/:id/minutes", minutesFixture(minutes)),
  );
}

const control = (change: Partial<Control>): Control => ({ name: "region", status: "not_testable", statement: "", to_flip: "", numbers: {}, ...change });

describe("beside the verdict", () => {
  it("stand the flags, since when, what it is about and the generation of the prompt cache", async () => {
    serve({
      verdict: { ...verdict, flags: ["writes-not-read", "near-threshold"], onset: { at: "2026-11-24T14:00:00Z", provisional: true } },
      cell: { api_key_id: "key_1", api_key_name: "gateway", service_tier: "default", batch: false },
    });
    renderApp(ADDRESS);
    expect(await screen.findByText("near threshold")).toHaveClass("flag");
    expect(screen.getByText("writes not read")).toHaveClass("flag");
    expect(screen.getByText("since Tue 24 Nov 14:00 UTC, provisional; this verdict for 9 days")).toBeInTheDocument();
    expect(screen.getByText("about: API key gateway, tier default, not batch")).toBeInTheDocument();
    expect(screen.getByText("prompt cache generation: up to GPT-5.4")).toBeInTheDocument();
  });

  it("stands what is avoidable as a range with its basis, never as $0", async () => {
    serve();
    renderApp(ADDRESS);
    const range = await screen.findByText("$1,051 to $2,300", { selector: "dd" });
    expect(range).toHaveTextContent("$1,051 to $2,300 a week");
    expect(range.nextElementSibling).toHaveTextContent("low end: busy hours to 68%, $2.25 per 1M tokens, prices of 26 Nov 2026");
  });

  it.each(["unpriced", "N/A", "none claimed"])("says %s where no dollars are claimed", async (amount) => {
    serve({ avoidable: null, money: { amount, basis: "", note: "" } });
    renderApp(ADDRESS);
    const label = await screen.findByText("Avoidable");
    expect(label.nextElementSibling).toHaveTextContent(new RegExp(`^${amount}$`));
  });
});

describe("the other causes", () => {
  it("stand by their status, each with glyph, word, numbers and what would change it", async () => {
    serve({ controls: [...seriesFixture().controls, control({ statement: "Usage rows name no region.", to_flip: "The region of twenty requests." })] });
    renderApp(ADDRESS);
    const part = (await screen.findByText("One cause is open, one cannot be tested")).closest("section")!;
    const rows = within(part).getAllByRole("row");
    expect(rows.map((row) => row.querySelector("th")?.textContent).filter(Boolean)).toEqual([
      "What the numbers show", "Still open", "Cannot be tested on these hours",
    ]);
    const open = within(part).getByText("Fan out").closest("tr")!;
    expect(open.querySelector(".mark.open")).toHaveTextContent("open");
    expect(open).toHaveTextContent("Hourly numbers cannot exclude workers that start at once.");
    expect(open).toHaveTextContent("Would settle it: 1-minute buckets of a busy day: is the first minute of each burst cold?");
    expect(within(part).getByText("Region").closest("tr")).toHaveTextContent("Would make it testable: the region of twenty requests.");
  });

  it("say what the published rule would say where that differs", async () => {
    serve({ verdict: { ...verdict, code: "mix-shift", word: "Traffic mix changes with load" } });
    renderApp(ADDRESS);
    const said = await screen.findByText(/^The published rule would say/);
    expect(said).toHaveTextContent("The published rule would say: misses rise with load.");
  });

  it("are absent under the published rules, which look at none", async () => {
    serve({ controls: [], stability: null });
    renderApp(ADDRESS);
    expect(await screen.findByText("All four thresholds are passed")).toBeInTheDocument();
    expect(screen.queryByText("other causes")).not.toBeInTheDocument();
    expect(screen.queryByText("stability")).not.toBeInTheDocument();
  });
});

describe("the minutes of a busy day", () => {
  it("are none of a source that others push to, whose requests say more", async () => {
    serve({ source: { slug: "azure", name: "Azure", kind: "requests" } });
    renderApp(ADDRESS);
    expect(await screen.findByRole("heading", { name: "No minutes are read of pushed numbers" })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "read the stored requests" })).toHaveAttribute("href", expect.stringMatching(/^\/evidence\?series=\d+$/));
    expect(screen.queryByRole("button", { name: /by the minute/ })).toBeNull();
  });

  it("are asked for with a button, and the request is then told in words", async () => {
    serve();
    const queued = minutesFixture({ state: "queued", start: "2026-11-24T03:00:00Z", end: "2026-11-25T03:00:00Z" });
    server.use(answer("post", "/series/:id/minutes", queued));
    const { user } = renderApp(ADDRESS);
    await user.click(await screen.findByText("Read a busy day by the minute", { selector: "button" }));
    expect(await screen.findByText("Tue 24 Nov 03:00 to Wed 25 Nov 03:00 UTC is queued; reading it takes a minute or two.")).toBeInTheDocument();
    expect(screen.queryByText("Read a busy day by the minute", { selector: "button" })).not.toBeInTheDocument();
  });

  it("cannot be asked for by those who may only read this source, whatever they may do elsewhere; they are told who can", async () => {
    serve({ can: { annotate: false } });
    server.use(answer("get", "/me", me({ role: "member", can: { annotate: true, ingest: false, admin: false, add_source: false } })));
    renderApp(ADDRESS);
    expect(await screen.findByText("A busy day can be read by those who may annotate this source.")).toBeInTheDocument();
    expect(screen.queryByText(/^Read a busy day/, { selector: "button" })).not.toBeInTheDocument();
  });

  it("were refused for a reason that is given", async () => {
    serve({}, { state: "refused", start: "2026-11-24T03:00:00Z", end: "2026-11-25T03:00:00Z", reason: "The provider keeps no minutes of that day." });
    renderApp(ADDRESS);
    expect(await screen.findByText(/^Refused, Tue 24 Nov 03:00 to Wed 25 Nov 03:00 UTC: The provider keeps no minutes/)).toBeInTheDocument();
    expect(screen.getByText("Read a busy day again", { selector: "button" })).toBeInTheDocument();
  });

  it("say why none can be read where no day is complete", async () => {
    serve();
    server.use(refuse("post", "/series/:id/minutes", 409, { message: "No complete day of the last week can be read by the minute." }));
    const { user } = renderApp(ADDRESS);
    await user.click(await screen.findByText("Read a busy day by the minute", { selector: "button" }));
    expect(await screen.findByText("No complete day of the last week can be read by the minute.")).toBeInTheDocument();
  });

  it("are drawn hour by hour with the slope and its standard error, and are a table and CSV too", async () => {
    serve({}, readMinutesFixture());
    const { container } = renderApp(ADDRESS);
    const plot = await screen.findByLabelText(/^Cached share against requests per minute/);
    expect(plot.querySelectorAll(".joined")).toHaveLength(2);
    expect(plot.querySelectorAll(".dot")).toHaveLength(2);
    expect(screen.getByText("standard error 0.7 points, within the hour")).toBeInTheDocument();
    expect(container.querySelector<HTMLAnchorElement>("#minutes a[download]")?.href).toMatch(/^data:text\/csv/);
    expect(screen.getByLabelText("CSV of one busy day by the minute")).toHaveAttribute("download", "acme rag-answer gpt-5.4 minutes by hour.csv");
  });

  it("are single dots where no hour has enough of them for two halves", async () => {
    const few = readMinutesFixture().minutes.slice(0, 3);
    serve({}, readMinutesFixture({ minutes: few, test: { slope: null, standard_errors: null, burstiness: 625.4, hours: 1, minutes: 3 } }));
    renderApp(ADDRESS);
    const plot = await screen.findByLabelText(/one dot for each minute/);
    expect(plot.querySelectorAll(".dot")).toHaveLength(3);
    expect(screen.getByText("All traffic of the day comes in 3 minutes; no hour has 10 to compare")).toBeInTheDocument();
    expect(screen.getByText("Share per doubling").nextElementSibling).toHaveTextContent("N/A");
  });

  it("become a table with the tokens of both halves of each hour", async () => {
    serve({}, readMinutesFixture());
    renderApp(`${ADDRESS}?view=table`);
    const table = (await screen.findByLabelText(/^Hours of the day, each in two halves/)).querySelector("table")!;
    expect([...table.rows[1]!.cells].map((cell) => cell.textContent)).toEqual(["Tue 24 Nov 03:00", "10.0", "60.0%60.0k / 100k", "40.0", "20.0%80.0k / 400k"]);
  });
});

describe("the timeline", () => {
  it("marks the hour at which it began", async () => {
    serve({ verdict: { ...verdict, onset: { at: "2026-11-24T14:00:00Z", provisional: false } } });
    const { container } = renderApp(ADDRESS);
    expect(await screen.findByText("since Tue 24 Nov 14:00", { selector: "text" })).toHaveClass("mk");
    expect(container.querySelectorAll("#timeline line.marker")).toHaveLength(1);
  });
});

describe("the repair", () => {
  it("sets names as code, and puts all steps on the clipboard", async () => {
    serve();
    const { user } = renderApp(ADDRESS);
    const rail = await screen.findByLabelText("What to do about it");
    expect(await within(rail).findByText("prompt_cache_key", { selector: "code" })).toBeInTheDocument();
    await user.click(within(rail).getByText("Copy the steps"));
    expect(await navigator.clipboard.readText()).toMatch(/^1\. Compare the prompt at 04:00 and 14:00\n {3}A prefix that differs/);
  });
});
