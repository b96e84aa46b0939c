import { act, configure, screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import type { SeriesDetail } from "../../api/types";
import { renderApp } from "../../testing/render-app";
import { historyFixture, hoursFixture, seriesFixture } from "../../testing/series-fixture";
import { answer, refuse, server } from "../../testing/server";

// The page draws thousands of marks, which takes jsdom its time.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });

const ADDRESS = "/series/acme/proj_rag/gpt-5.4";

function serve(changes: Partial<SeriesDetail> = {}) {
  const asked: URL[] = [];
  server.use(
    answer("get", "/series/by-path", seriesFixture(changes), (url) => asked.push(url)),
    answer("get", "/series/:id", seriesFixture(changes), (url) => asked.push(url)),
    answer("get", "/series/:id/hours", hoursFixture(), (url) => asked.push(url)),
    answer("get", "/series/:id/verdicts", historyFixture()),
  );
  return asked;
}

const verdict = seriesFixture().verdict!;
// By label, since asking for roles walks thousands of marks.
const thePlot = () => screen.findByLabelText(/^Cached share against requests per hour/);

describe("what was found", () => {
  beforeEach(() => void serve());

  it("stands in the API's own words, with owner of the action and age", async () => {
    renderApp(ADDRESS);
    expect(await screen.findByText(verdict.sentence, { selector: "h1" })).toBeInTheDocument();
    expect(screen.getByText("this verdict since Tue 17 Nov, 9 days")).toBeInTheDocument();
    expect(screen.getByText("action: fix on your side")).toBeInTheDocument();
    expect(document.title).toBe("rag-answer / gpt-5.4 - cachewatch");
  });

  it("has its figures with the tokens under each share", async () => {
    renderApp(ADDRESS);
    expect(await screen.findByText("68.0%")).toBeInTheDocument();
    expect(screen.getByText("28.4M / 41.8M tokens", { selector: "dd" })).toBeInTheDocument();
    expect(screen.getByText("lower when busy, 90% interval 47.4 to 56.5")).toBeInTheDocument();
    expect(screen.getByText("90% interval \u22120.99 to \u22120.96")).toBeInTheDocument();
    expect(screen.getByText("$1,051 to $2,300", { selector: "dd" })).toBeInTheDocument();
  });

  it("says why a rank correlation has no interval", async () => {
    serve({ intervals: { ...seriesFixture().intervals!, rho: null } });
    renderApp(ADDRESS);
    expect(await screen.findByText("no interval: with all days, or without one, no hour is out of order")).toBeInTheDocument();
  });

  it("says in the evidence that the published rule agrees", async () => {
    renderApp(ADDRESS);
    expect(await screen.findByText("says the same")).toBeInTheDocument();
  });

  it("lists the repair steps in order and the handoff note as plain text", async () => {
    renderApp(ADDRESS);
    const rail = await screen.findByLabelText("What to do about it");
    const steps = await within(rail).findByRole("list");
    expect(within(steps).getAllByRole("listitem").map((item) => item.querySelector(".b")?.textContent)).toEqual([
      "Compare the prompt at 04:00 and 14:00", "Size the key", "Ship prompt_cache_key",
    ]);
    expect(within(rail).getByText(/^Owned here: routing/)).toBeInTheDocument();
    expect(within(rail).queryByRole("checkbox")).not.toBeInTheDocument();
  });

  it("names the closest threshold and says which are passed", async () => {
    renderApp(ADDRESS);
    expect(await screen.findByText("All four thresholds are passed")).toBeInTheDocument();
    expect(screen.getByText(/Closest: quiet-third share is 68%, a finding starts at 15%\. Thresholds: the defaults\./)).toBeInTheDocument();
  });

  it("counts idle hours and hours that were not fetched apart from each other", async () => {
    renderApp(ADDRESS);
    await thePlot();
    expect(screen.getByText("No traffic").closest("tr")).toHaveTextContent(/11$/);
    expect(screen.getByText("Not fetched").closest("tr")).toHaveTextContent(/2$/);
  });

  it("says of a pushed source that nothing was pushed", async () => {
    serve({ source: { slug: "acme", name: "Gateway", kind: "requests" } });
    renderApp(ADDRESS);
    await thePlot();
    expect(screen.getByText("Nothing was pushed").closest("tr")).toHaveTextContent(/2$/);
    expect(screen.getByText("nothing was pushed, unknown")).toBeInTheDocument();
    expect(screen.queryByText(/not fetched/i)).not.toBeInTheDocument();
  });
});

describe("other verdicts", () => {
  it("stand beside what the published rule would say when that differs", async () => {
    serve({ verdict: { ...verdict, code: "mix-shift", word: "Traffic mix changes with load" } });
    renderApp(ADDRESS);
    expect(await screen.findByText("would say: misses rise with load")).toBeInTheDocument();
  });

  it("have no bracket and no thirds where the load cannot be split, and say why", async () => {
    serve({ quiet: null, busy: null, third_reason: "11 of 24 linked hours, about 13 more", rho: null });
    const { container } = renderApp(ADDRESS);
    await thePlot();
    expect(container.querySelector(".brk")).toBeNull();
    expect(container.querySelector(".band")).toBeNull();
    expect(screen.getByText("No quiet and busy third: 11 of 24 linked hours, about 13 more")).toBeInTheDocument();
  });

  it("may be missing: the page then says so and draws the hours it has", async () => {
    serve({ verdict: null, window: null, decided_at: null, thresholds: [], quiet: null, busy: null, repairs: [], handoff: null });
    renderApp(ADDRESS);
    expect(await screen.findByText("There is no verdict on this series yet", { selector: "h1" })).toBeInTheDocument();
    expect(screen.getByText("No verdict yet")).toHaveClass("v-none");
    expect(await thePlot()).toBeInTheDocument();
    expect(screen.queryByText(/thresholds (are|is) passed/)).not.toBeInTheDocument();
  });

  it("stay on the page of a series that has gone quiet, under a banner", async () => {
    serve({ idle_days: 12, last_traffic: "2026-11-14T09:00:00Z" });
    renderApp(ADDRESS);
    expect(await screen.findByText(/^No traffic since Sat 14 Nov 09:00 UTC/)).toBeInTheDocument();
    expect(await thePlot()).toBeInTheDocument();
  });
});

describe("the address", () => {
  it("may hold a null project and a model with slashes", async () => {
    const asked = serve();
    renderApp("/series/acme/_none/ft%3Agpt-5.4%2Fmine");
    await thePlot();
    const query = asked.find((url) => url.pathname.endsWith("/by-path"))?.searchParams;
    expect([query?.get("source"), query?.get("project"), query?.get("model")]).toEqual(["acme", "_none", "ft:gpt-5.4/mine"]);
  });

  it("may hold ids that an address would be misread for, which stay encoded for the server", async () => {
    const asked = serve();
    renderApp("/series/acme/%255Fnone/100%2525%252Fb%252Ecsv");
    await thePlot();
    const query = asked.find((url) => url.pathname.endsWith("/by-path"))?.searchParams;
    const sent = [query?.get("project"), query?.get("model")].map((part) => decodeURIComponent(part ?? ""));
    expect(sent).toEqual(["_none", "100%/b.csv"]);
  });

  it("may hold values that mean nothing, which are passed over with a notice", async () => {
    serve();
    renderApp(`${ADDRESS}?view=pie&from=yesterday`);
    expect(await screen.findByText(/view=pie, which is not a view/)).toBeInTheDocument();
    expect(screen.getByText(/needs from and to as hours/)).toBeInTheDocument();
    expect(await thePlot()).toBeInTheDocument();
  });

  it("of no series gets a sentence and a way back", async () => {
    server.use(refuse("get", "/series/by-path", 404, { message: "No such series." }));
    renderApp(ADDRESS);
    expect(await screen.findByText("There is no series at this address", { selector: "h1" })).toBeInTheDocument();
  });
});

describe("getting about", () => {
  it("goes to the neighbouring series with the square brackets, in the order the reader came from", async () => {
    const asked = serve();
    server.use(answer("get", "/series/:id", seriesFixture({ id: 8, path: "/series/acme/proj_next/gpt-5.4" }), (url) => asked.push(url)));
    const { user, router, address } = renderApp("/");
    await act(() => router.navigate(ADDRESS, { state: { filters: "verdict=mix-shift&sort=-gap" } }));
    await thePlot();
    await user.keyboard("]");
    await screen.findByText(verdict.sentence, { selector: "h1" });
    expect(address()).toBe("/series/acme/proj_next/gpt-5.4");
    const neighbour = asked.find((url) => /\/series\/\d+$/.test(url.pathname));
    expect(neighbour?.search).toBe("?verdict=mix-shift&sort=-gap");
  });

  it("offers no neighbour before the one in that order is known", async () => {
    serve();
    server.use(refuse("get", "/series/7", 422));
    const { user, router, address } = renderApp("/");
    await act(() => router.navigate(ADDRESS, { state: { filters: "verdict=mix-shift" } }));
    await thePlot();
    expect(screen.queryByText("Next series")).not.toBeInTheDocument();
    await user.keyboard("]");
    expect(address()).toBe(ADDRESS);
  });

  it("has the neighbours as buttons too", async () => {
    serve({ next_id: null });
    renderApp(ADDRESS);
    expect(await screen.findByText("Previous series", { selector: "button" })).toBeInTheDocument();
    expect(screen.queryByText("Next series")).not.toBeInTheDocument();
  });
});

describe("when the server fails", () => {
  it("says what, why and under which request, and tries again when asked", async () => {
    server.use(refuse("get", "/series/by-path", 422, { message: "The hours are being moved.", request_id: "req-9" }));
    const { user } = renderApp(ADDRESS);
    expect(await screen.findByText("The hours are being moved.")).toBeInTheDocument();
    expect(screen.getByText("req-9")).toBeInTheDocument();
    serve();
    await user.click(screen.getByText("Retry"));
    expect(await screen.findByText(verdict.sentence, { selector: "h1" })).toBeInTheDocument();
  });

  it("keeps the rest of the page when only one chart fails", async () => {
    serve();
    server.use(refuse("get", "/series/:id/hours", 422, { message: "Too many hours." }));
    renderApp(ADDRESS);
    expect(await screen.findByText("The timeline could not be read")).toBeInTheDocument();
    expect(await screen.findByLabelText(/^Verdict by day/)).toBeInTheDocument();
    expect(screen.getByText(verdict.sentence, { selector: "h1" })).toBeInTheDocument();
  });
});
