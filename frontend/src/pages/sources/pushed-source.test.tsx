import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { pageOf } from "../../testing/fixtures";
import { renderApp } from "../../testing/render-app";
import { answer, refuse, server } from "../../testing/server";
import { run, source } from "../../testing/source-fixtures";

import { pushSamples } from "./push-samples";
import { runHeading, runResult } from "./run-words";

const heading = (name: string, level = 2) => screen.findByRole("heading", { level, name });
const pushed = (change: Parameters<typeof source>[0] = {}) =>
  source({
    slug: "azure",
    name: "Azure",
    kind: "requests",
    base_url: "",
    key: { state: "none", hint: "", variable: "" },
    next_run_at: null,
    last_run: run({ kind: "pushed", finished_at: "2026-11-26T15:21:00Z" }),
    ...change,
  });

describe("a source that others push to", () => {
  it("says where to push, with which token and what is kept, and offers no key, run or backfill", async () => {
    server.use(answer("get", "/sources", pageOf([pushed()])));
    renderApp("/sources");
    expect(await heading("Pushed requests are counted into hours every minute")).toBeVisible();
    expect(screen.getByText("http://localhost:3000/api/v1/requests?source=azure")).toBeVisible();
    expect(screen.getByText(/requests for 30 days, who sent them only as hashes, no prompt/)).toBeVisible();
    expect(screen.getByText(/no key of a provider is needed/)).toBeVisible();
    expect(screen.getByText("settled hours that got late rows")).toBeVisible();
    expect(screen.getByText("are told to who sent them, with the reason, counted in the runs, and not kept")).toBeVisible();
    expect(screen.queryByText("Rejected, 7 days")).not.toBeInTheDocument();
    expect(screen.queryByRole("heading", { name: /rejected/i })).not.toBeInTheDocument();
    for (const name of ["Run now", "Test connection", "Replace", "Read history", "Pause hourly runs"]) {
      expect(screen.queryByRole("button", { name })).not.toBeInTheDocument();
    }
    expect(screen.queryByText("Admin key")).not.toBeInTheDocument();
  });

  it("waits for the first push", async () => {
    server.use(answer("get", "/sources", pageOf([pushed({ last_run: null })])));
    renderApp("/sources");
    expect(await heading("Waiting for the first requests to be pushed")).toBeVisible();
    expect(screen.getByText("nothing was pushed yet")).toBeVisible();
  });

  it("says what the counts of its runs stand for", async () => {
    const pushes = run({ kind: "pushed", started_at: "2026-11-26T15:00:00Z", pages: 0, hours: 1, rows_read: 2 });
    server.use(answer("get", "/sources", pageOf([pushed()])), answer("get", "/runs", pageOf([pushes])));
    renderApp("/sources");
    const table = within(await screen.findByRole("region", { name: "Table of runs" }));
    const names = table.getAllByRole("columnheader").map(({ textContent }) => textContent);
    expect(names.slice(0, 5)).toEqual(["Hour of the pushes (UTC)", "Kind", "Window", "Hours counted", "Rows in them"]);
    expect(screen.getByText(/A line stands for all pushes of one hour of the clock/)).toBeVisible();
    expect(runHeading(pushes)).toBe("Pushes of 26 Nov 15:00: 1 hour counted, 2 rows in them");
  });

  it("counts rejected requests as such, and warns of none that is only left out", () => {
    const leftOut = ["1,204 requests left out: the request failed", "1 request left out: no input tokens"];
    expect(runResult(run({ kind: "pushed", rows_rejected: 3, notices: leftOut }))).toEqual({ kind: "warn", words: "3 requests rejected" });
    expect(runResult(run({ kind: "pushed", rows_rejected: 0, notices: leftOut }))).toEqual({ kind: "okk", words: "ok" });
    expect(runResult(run({ kind: "pushed", rows_rejected: 0, notices: [...leftOut, "an hour was skipped"] }))).toEqual({ kind: "warn", words: "ok, with a notice" });
  });

  it("can be paused, which refuses pushes", async () => {
    const sent: unknown[] = [];
    server.use(
      answer("get", "/sources", pageOf([pushed()])),
      answer("patch", "/sources/azure", pushed({ paused: true }), (_, body) => sent.push(body)),
    );
    const { user } = renderApp("/sources");
    await user.click(await screen.findByRole("button", { name: "Refuse pushes" }));
    expect(await screen.findByText("Paused: pushes are refused until it is resumed")).toBeVisible();
    expect(sent).toEqual([{ paused: true }]);
  });

  it("shows the same call for a collector", async () => {
    server.use(answer("get", "/sources", pageOf([pushed()])));
    const { user } = renderApp("/sources");
    await user.click(await screen.findByRole("button", { name: "OpenTelemetry collector" }));
    expect(screen.getByText(/endpoint: http:\/\/localhost:3000\/otlp/)).toBeVisible();
  });
});

describe("a new source that others push to", () => {
  it("is added without a key, and its page opens", async () => {
    const sent: unknown[] = [];
    server.use(answer("post", "/sources", pushed(), (_, body) => sent.push(body)));
    const { user, address } = renderApp("/sources/new");
    const kinds = within(await screen.findByRole("navigation", { name: "Kind of source" }));
    await user.click(kinds.getByRole("link", { name: "Requests of a gateway" }));
    expect(await heading("Take requests from a gateway", 1)).toBeVisible();
    await user.clear(screen.getByLabelText("Name"));
    await user.type(screen.getByLabelText("Name"), "Azure");
    await user.click(screen.getByRole("button", { name: "Add source" }));
    expect(await screen.findByText("Azure is there; it waits for the first push")).toBeVisible();
    expect(sent).toEqual([{ name: "Azure", kind: "requests" }]);
    expect(address()).toBe("/sources?source=azure");
  });

  it("is refused in the server's words", async () => {
    server.use(refuse("post", "/sources", 422, { code: "invalid", fields: [{ name: "name", message: "is too long" }] }));
    const { user } = renderApp("/sources/new?kind=buckets");
    await user.click(await screen.findByRole("button", { name: "Add source" }));
    expect(await screen.findByText("is too long")).toBeVisible();
  });
});

describe("the calls that push", () => {
  const NOW = new Date("2027-02-03T10:20:30.456Z");

  it("push what is of now: a request of this moment, or the last hour that has ended", () => {
    expect(pushSamples({ kind: "requests", slug: "azure" }, "", NOW)[0]?.code).toContain('"timestamp": "2027-02-03T10:20:30Z"');
    expect(pushSamples({ kind: "buckets", slug: "warehouse" }, "", NOW)[0]?.code).toContain('"start_time": "2027-02-03T09:00:00Z"');
  });

  it("name the source and never hold a token", () => {
    const samples = pushSamples({ kind: "requests", slug: "azure" }, "https://cachewatch.example", NOW);
    expect(samples.map(({ label }) => label)).toEqual(["curl", "OpenTelemetry variables", "OpenTelemetry collector"]);
    for (const { code } of samples) expect(code).toContain("azure");
    expect(samples[0]?.code).toContain("'https://cachewatch.example/api/v1/requests?source=azure'");
    const [hours] = pushSamples({ kind: "buckets", slug: "warehouse" }, "https://cachewatch.example", NOW);
    expect(hours?.code).toContain("'https://cachewatch.example/api/v1/buckets?source=warehouse'");
    expect(pushSamples({ kind: "openai", slug: "acme" }, "", NOW)).toEqual([]);
  });
});
