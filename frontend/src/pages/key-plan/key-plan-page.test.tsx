import { configure, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { keyPlan } from "../../testing/key-plan-fixture";
import { renderApp } from "../../testing/render-app";
import { seriesFixture } from "../../testing/series-fixture";
import { answer, refuse, server } from "../../testing/server";
import type { SeriesKeyPlan } from "../../api/types";

configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });
const ADDRESS = "/key-plan/acme/proj_rag/gpt-5.4";

/** Opens the page; gives the queries that were sent. */
function open(plan: SeriesKeyPlan = keyPlan(), query = "") {
  const asked: string[] = [];
  server.use(answer("get", "/series/by-path", seriesFixture()), answer("get", "/series/:id/key-plan", plan, (url) => asked.push(url.search)));
  return { asked, ...renderApp(`${ADDRESS}${query}`) };
}

describe("the page of a key plan", () => {
  it("states the plan, its numbers, and what they are from", async () => {
    open();
    expect(await screen.findByRole("heading", { level: 1, name: "Send a key per template, over 4 to 6 shards" })).toBeVisible();
    expect(screen.getByText("4 shards carry 99 of 100 minutes, 6 every one.")).toBeVisible();
    expect(screen.getByText("from the 168 hours to Thu 26 Nov 13:00 UTC, and by the minute from Tue 24 Nov 00:00 to Wed 25 Nov 00:00 UTC")).toBeVisible();
    expect(screen.getByText("4 to 6")).toBeVisible();
    expect(screen.getByText("at most, in 99 of 100 minutes of the hours with traffic, empty minutes among them; about 15 fit under a key")).toBeVisible();
    const units = within(screen.getByRole("table", { name: "What one key could stand for" }));
    expect(units.getByRole("cell", { name: "98%" })).toBeVisible();
  });

  it("shows the keys, and the code in three ways", async () => {
    const { user } = open();
    expect(await screen.findByText("cw1-{prompt and tools}-0")).toBeVisible();
    expect(screen.getByText("and so on")).toBeVisible();
    expect(screen.getByLabelText("Python code")).toHaveTextContent("key = cache_key(system, tools, tenant_id, 4)");
    await user.click(screen.getByRole("button", { name: "Node" }));
    expect(screen.getByLabelText("Node code")).toHaveTextContent("const key = cacheKey(system, tools, tenantId, 4);");
    expect(screen.getByLabelText("Node function")).toHaveTextContent("export function cacheKey() {}");
    await user.click(screen.getByRole("button", { name: "Plain HTTP" }));
    expect(screen.getByLabelText("Plain HTTP code")).toHaveTextContent('cache_key "$system" "$tools" "$tenant_id" 4');
  });

  it("plans with what the reader knows, and keeps it in the address", async () => {
    const { user, asked, address } = open();
    await user.selectOptions(await screen.findByLabelText("One key stands for"), "Conversation");
    await user.type(screen.getByLabelText("Different prefixes of the template"), "40");
    await user.click(screen.getByRole("button", { name: "Plan with this" }));
    await waitFor(() => expect(asked.at(-1)).toBe("?unit=conversation&prefixes=40"));
    expect(address()).toBe(`${ADDRESS}?unit=conversation&prefixes=40`);
    expect(screen.getByRole("heading", { name: "The plan is for what you say here" })).toBeVisible();
    expect(screen.getByRole("link", { name: "JSON" })).toHaveAttribute("href", `${ADDRESS}.json?unit=conversation&prefixes=40`);
    await user.click(screen.getByRole("link", { name: "Take them back" }));
    await waitFor(() => expect(address()).toBe(ADDRESS));
  });

  it("passes over what the address says wrongly, with a notice", async () => {
    const { asked } = open(keyPlan(), "?unit=request&prefixes=9");
    expect(await screen.findByText(/^The address says unit=request/)).toBeVisible();
    expect(asked).toEqual(["?prefixes=9"]);
  });

  it("plans no key where none helps, and shows no code", async () => {
    const none = { helps: "no", unit: null, shards: null, keys: [], code: null, derivation: null, key_improves_routing: false } as const;
    open(keyPlan({ ...none, keys: [], heading: "Send no key: it does not help here" }));
    expect(await screen.findByRole("heading", { name: "No key is planned" })).toBeVisible();
    expect(screen.getByRole("heading", { name: "For this model keys separate accounting" })).toBeVisible();
    expect(screen.queryByLabelText("Python code")).toBeNull();
  });

  it("says N/A with a reason for what hours do not tell", async () => {
    open(keyPlan({ basis: "hours", minutes: null, by_minute: false, busiest_minute: null, prefixes: null, quiet_requests_per_hour: null, assumed: { unit: null, prefixes: null, requests_per_minute: null } }));
    expect(await screen.findByText("hours do not tell how many; say it below")).toBeVisible();
    expect(screen.getByText("no day was read by the minute")).toBeVisible();
    expect(screen.getByText("at least: mean of the busiest hour; about 15 fit under a key")).toBeVisible();
    expect(screen.getByText("too few hours with traffic")).toBeVisible();
  });

  it("says where there is no such series, and what failed", async () => {
    renderApp(ADDRESS);
    expect(await screen.findByRole("heading", { name: "There is no series at this address" })).toBeVisible();
  });

  it("keeps the way back where the plan could not be read", async () => {
    server.use(answer("get", "/series/by-path", seriesFixture()), refuse("get", "/series/:id/key-plan", 503, { message: "The database does not answer." }));
    renderApp(ADDRESS);
    expect(await screen.findByText(/The plan could not be read/)).toBeVisible();
    expect(screen.getByRole("link", { name: "rag-answer / gpt-5.4" })).toBeVisible();
  });
});
