import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { overview, pageOf, seriesRow, seriesRows } from "../../testing/fixtures";
import { renderApp } from "../../testing/render-app";
import { answer, refuse, server } from "../../testing/server";

function noClaim() {
  return { ...overview().avoidable, tokens_per_week: null, usd_per_week: null, price_date: null, priced: 0, priced_share: null, amount: "none claimed", covers: "" };
}

async function tableRow(name: RegExp) {
  return within(await screen.findByRole("row", { name }));
}

describe("the Overview", () => {
  it("states the week in the API's sentence, with the pooled share and what it stands on", async () => {
    renderApp("/");
    expect(await screen.findByRole("heading", { level: 1, name: "One of 3 series loses its prompt cache under load" })).toBeVisible();
    expect(screen.getByText("3.05B / 6.80B input tokens; week before 44.2%")).toBeVisible();
    expect(screen.getByText("+0.6 points on the week before")).toBeVisible();
    expect(screen.getByText("of 3 series in 2 projects; none near a finding")).toBeVisible();
    const avoidable = screen.getByText("Avoidable", { selector: "dt" }).parentElement;
    expect(avoidable).toHaveTextContent("Avoidable$1,051 to $2,300 a week1 series priced; prices of 26 Nov 2026");
    expect(screen.getByText(/Thu 19 Nov 13:00 to Thu 26 Nov 13:00 UTC, 168 complete hours/)).toBeVisible();
    expect(document.title).toBe("Overview - cachewatch");
  });

  it("shows a real zero as 0% and an unknown share as N/A with its reason", async () => {
    renderApp("/");
    const zero = await tableRow(/^translate/);
    expect(zero.getByText("0%")).toBeVisible();
    expect(zero.getByText("0 / 140M")).toBeVisible();
    const unknown = await tableRow(/^\(none\)/);
    expect(unknown.getByText("cached not reported")).toBeVisible();
    expect(unknown.getByText("too few hours to split")).toBeVisible();
    expect(unknown.getAllByText("N/A")).toHaveLength(4);
    expect(unknown.queryByText("0%")).not.toBeInTheDocument();
  });

  it("shows a verdict's word and reason as the API words them", async () => {
    server.use(answer("get", "/series", pageOf([seriesRow({ verdict: { ...seriesRow().verdict!, word: "Word from the API", short: "short from the API" } })])));
    renderApp("/");
    const row = await tableRow(/rag-answer/);
    expect(row.getByText("Word from the API")).toBeVisible();
    expect(row.getByText("short from the API")).toBeVisible();
    expect(row.getByRole("link", { name: "rag-answer" })).toHaveAttribute("href", "/series/acme/proj_rag/gpt-5.4");
  });

  it("shows what a finding costs in the API's words, and no dollar where none is claimed", async () => {
    const none = seriesRow({ id: 4, project_name: "doc-search", avoidable: null, money: { amount: "none claimed", basis: "", note: "" } });
    const unpriced = seriesRow({ id: 5, project_name: "code-review", money: { amount: "unpriced", basis: "low end: busy hours to 68%, 1.2M tokens", note: "no list price" } });
    server.use(answer("get", "/series", pageOf([...seriesRows(), none, unpriced])));
    renderApp("/");
    expect((await tableRow(/^rag-answer/)).getByText("$1,051 to $2,300")).toHaveAttribute("title", "$2.25 per 1M tokens, prices of 26 Nov 2026");
    expect((await tableRow(/^rag-answer/)).getByText("low end: busy hours to 68%")).toBeVisible();
    expect((await tableRow(/^translate/)).getByText("not eligible")).toBeVisible();
    expect((await tableRow(/^doc-search/)).getByText("none claimed")).toBeVisible();
    expect((await tableRow(/^code-review/)).getByText("unpriced")).toBeVisible();
    expect(screen.queryByText(/^\$0/)).not.toBeInTheDocument();
    expect(screen.getByRole("columnheader", { name: /Avoidable a week/ })).toHaveAttribute("aria-sort", "descending");
    expect(screen.getByRole("link", { name: "How it is worked out" })).toHaveAttribute("href", "/how#money");
  });

  it("shows flags beside the verdict, since when it stands, and when it began where the hours show that", async () => {
    const began = { at: "2026-11-15T21:00:00Z", provisional: true };
    const flagged = seriesRow({ verdict: { ...seriesRow().verdict!, flags: ["writes-not-read", "low"], onset: began } });
    server.use(answer("get", "/series", pageOf([flagged, ...seriesRows().slice(1)])));
    renderApp("/");
    const row = await tableRow(/^rag-answer/);
    expect(row.getByText("writes not read")).toHaveClass("flag");
    expect(row.getByText("low")).toHaveClass("flag");
    expect(row.getByText("17 Nov")).toBeVisible();
    expect(row.getByText("began about 15 Nov 21:00")).toBeVisible();
    expect((await tableRow(/^translate/)).getByText("9 d")).toBeVisible();
  });

  it.each([
    ["N/A", "no verdict yet", overview({ window: null })],
    ["N/A", "no finding has a baseline to measure against", overview({ avoidable: noClaim() })],
    ["none claimed", "no open finding", overview({ avoidable: noClaim(), findings: 0 })],
    ["unpriced", "1 finding unpriced", overview({ avoidable: { ...overview().avoidable, usd_per_week: null, amount: "unpriced", covers: "1 finding unpriced" } })],
  ])("says %s in the strip, with the reason, where no dollar is known: %s", async (amount, reason, given) => {
    server.use(answer("get", "/overview", given));
    renderApp("/");
    const figure = within((await screen.findByText("Avoidable", { selector: "dt" })).parentElement!);
    expect(figure.getByText((_, element) => element?.tagName === "DD" && element.textContent.startsWith(amount))).toBeVisible();
    expect(figure.getByText(reason)).toBeVisible();
  });

  it("hands the filters and the order on to the page of a series", async () => {
    const { user, router } = renderApp("/?verdict=load-correlated-misses&sort=-share");
    await user.click(await screen.findByRole("link", { name: "rag-answer" }));
    await waitFor(() => expect(router.state.location.state).toEqual({ filters: "verdict=load-correlated-misses&sort=-share" }));
  });

  it("waits for the first push where nothing is read", async () => {
    const sources = [{ slug: "gateway", name: "Gateway", kind: "requests" }];
    server.use(answer("get", "/overview", overview({ sources, series: 0 })), answer("get", "/series", pageOf([])));
    renderApp("/");
    expect(await screen.findByText("No series yet: waiting for the first push.")).toBeInTheDocument();
  });

  it("leads to the first run of Sources, with one sentence, when there is no source", async () => {
    server.use(answer("get", "/overview", overview({ has_source: false, series: 0 })), answer("get", "/sources", pageOf([])));
    const { address } = renderApp("/");
    expect(await screen.findByRole("heading", { level: 1, name: "No data yet: connect an OpenAI organization to start" })).toBeVisible();
    expect(address()).toBe("/sources");
    expect(screen.getByText("The overview is empty until a source is connected, so it leads here.")).toBeVisible();
  });
});

describe("filters", () => {
  it("are read from the address and asked of the API", async () => {
    const asked: string[] = [];
    server.use(answer("get", "/series", pageOf(seriesRows()), (url) => asked.push(url.searchParams.toString())));
    renderApp("/?q=rag&verdict=load-correlated-misses&project=_none&sort=-share");
    expect(await screen.findByRole("checkbox", { name: "Routing? 1" })).toBeChecked();
    expect(screen.getByRole("searchbox", { name: "Search series" })).toHaveValue("rag");
    await waitFor(() => expect(screen.getByRole("combobox", { name: "Project" })).toHaveValue("_none"));
    expect(asked.at(-1)).toBe("q=rag&verdict=load-correlated-misses&project=_none&sort=-share&limit=50&offset=0");
    expect(screen.getByRole("columnheader", { name: /Cached share/ })).toHaveAttribute("aria-sort", "descending");
    expect(screen.getByRole("link", { name: "CSV" })).toHaveAttribute(
      "href",
      "/series.csv?q=rag&verdict=load-correlated-misses&project=_none&sort=-share",
    );
  });

  it("write nothing but the address", async () => {
    const { user, address } = renderApp("/");
    await user.click(await screen.findByRole("checkbox", { name: /Routing/ }));
    expect(address()).toBe("/?verdict=load-correlated-misses");
    await user.selectOptions(screen.getByRole("combobox", { name: "Model" }), "gpt-4.1");
    expect(address()).toBe("/?verdict=load-correlated-misses&model=gpt-4.1");
    await user.type(screen.getByRole("searchbox"), "rag");
    const csv = () => screen.getByRole("link", { name: "CSV" });
    await waitFor(() => expect(csv()).toHaveAttribute("href", "/series.csv?q=rag&verdict=load-correlated-misses&model=gpt-4.1"));
    await user.click(screen.getByRole("checkbox", { name: /Routing/ }));
    await user.click(screen.getByRole("link", { name: "Requests/day" }));
    expect(address()).toBe("/?q=rag&model=gpt-4.1&sort=-requests");
  });

  it("stand for the verdicts of a group, all of them or none, with a part of one shown as such", async () => {
    const { user, address } = renderApp("/?verdict=flat-low-share");
    const prefix = await screen.findByRole("checkbox", { name: "Prefix or breakpoint (only Flat low share) 1" });
    expect(prefix).toBePartiallyChecked();
    await user.click(prefix);
    expect(address()).toBe("/?verdict=flat-low-share&verdict=no-cached-tokens");
    expect(screen.getByRole("checkbox", { name: "Prefix or breakpoint 1" })).toBeChecked();
    await user.click(screen.getByRole("checkbox", { name: "No data 1" }));
    await user.click(screen.getByRole("checkbox", { name: "Prefix or breakpoint 1" }));
    expect(address()).toBe("/?verdict=too-few-linked-hours");
    const groups = within(screen.getByRole("group", { name: "Verdicts, by what there is to do" }));
    expect(groups.getAllByRole("checkbox").map((box) => box.closest("label")?.textContent)).toEqual([
      "Routing? 1",
      "Prefix or breakpoint 1",
      "Lifetime 0",
      "Mix or change 0",
      "No finding 0",
      "No data 1",
      "Near a finding 0",
    ]);
  });

  it("pass over unknown values with a notice", async () => {
    renderApp("/?verdict=broken&project=gone");
    expect(await screen.findByText(/Passed over.*verdict=broken, project=gone/)).toBeVisible();
    expect(await screen.findByRole("row", { name: /rag-answer/ })).toBeVisible();
  });

  it("stay when nothing matches, and can be cleared", async () => {
    server.use(answer("get", "/series", pageOf([])));
    const { user, address } = renderApp("/?q=nothing&sort=-share");
    expect(await screen.findByText(/No series match/)).toBeVisible();
    expect(screen.getByRole("searchbox")).toHaveValue("nothing");
    await user.click(screen.getByRole("link", { name: "Clear filters" }));
    expect(address()).toBe("/?sort=-share");
  });

  it("keep the rest of the page when more rows than one page match", async () => {
    server.use(answer("get", "/series", { ...pageOf(seriesRows(), 212), offset: 50 }));
    renderApp("/?offset=50&sort=share");
    expect(await screen.findByText("Rows 51 to 100 of 212")).toBeVisible();
    expect(screen.getByRole("link", { name: "Previous 50" })).toHaveAttribute("href", "/?sort=share");
    expect(screen.getByRole("link", { name: "Next 50" })).toHaveAttribute("href", "/?offset=100&sort=share");
  });
});

describe("when the series cannot be read", () => {
  it("says why, with the request id, and tries again on demand; the rest of the page stays", async () => {
    server.use(refuse("get", "/series", 422, { message: "The sort order is unknown.", request_id: "req-42" }));
    const { user } = renderApp("/");
    const failure = within(await screen.findByRole("alert"));
    expect(failure.getByRole("heading")).toHaveTextContent("The series could not be read");
    expect(failure.getByText("The sort order is unknown.")).toBeVisible();
    expect(failure.getByText("req-42")).toBeVisible();
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("One of 3 series");
    server.use(answer("get", "/series", pageOf(seriesRows())));
    await user.click(failure.getByRole("button", { name: "Retry" }));
    expect(await screen.findByRole("row", { name: /rag-answer/ })).toBeVisible();
  });
});

describe("the keyboard", () => {
  it("walks the rows and opens the current one", async () => {
    const { user, address } = renderApp("/");
    const first = await screen.findByRole("row", { name: /^rag-answer/ });
    await user.keyboard("jjk");
    expect(first).toHaveAttribute("aria-current", "true");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(address()).toBe("/series/acme/proj_rag/gpt-5.4"));
  });

  it("reaches the search, and Escape clears it", async () => {
    const { user, address } = renderApp("/?q=rag");
    const search = await screen.findByRole("searchbox");
    await user.keyboard("/");
    expect(search).toHaveFocus();
    expect(search).toHaveValue("rag");
    await user.keyboard("{Escape}");
    expect(search).toHaveValue("");
    expect(address()).toBe("/");
  });
});
