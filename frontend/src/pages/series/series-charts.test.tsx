import { act, configure, fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { renderApp } from "../../testing/render-app";
import { historyFixture, hoursFixture, seriesFixture } from "../../testing/series-fixture";
import { answer, server } from "../../testing/server";

// The page draws thousands of marks, which takes jsdom its time.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });

const ADDRESS = "/series/acme/proj_rag/gpt-5.4";

function serve() {
  const asked: URL[] = [];
  server.use(
    answer("get", "/series/by-path", seriesFixture(), (url) => asked.push(url)),
    answer("get", "/series/:id", seriesFixture(), (url) => asked.push(url)),
    answer("get", "/series/:id/hours", hoursFixture(), (url) => asked.push(url)),
    answer("get", "/series/:id/verdicts", historyFixture()),
  );
  return asked;
}

// By label, since asking for roles walks thousands of marks.
const thePlot = () => screen.findByLabelText(/^Cached share against requests per hour/);

describe("the charts", () => {
  it("have the finding as their label", async () => {
    serve();
    renderApp(ADDRESS);
    expect(await thePlot()).toHaveAccessibleName(
      "Cached share against requests per hour, one dot for each linked hour. Quiet third 68% at 187 requests an hour, " +
        "busy third 16% at 3,405. Rank correlation \u22120.98.",
    );
    expect(await screen.findByLabelText(/^Cached share by hour of the week/)).toBeInTheDocument();
    expect(await screen.findByLabelText(/^Verdict by day/)).toBeInTheDocument();
  });

  it("draw one mark for each hour, hollow where it is excluded and a cross in the lane without input", async () => {
    serve();
    renderApp(ADDRESS);
    const plot = await thePlot();
    expect(plot).toHaveAttribute("role", "img");
    expect(plot.querySelectorAll(".dot")).toHaveLength(146);
    expect(plot.querySelectorAll(".hol")).toHaveLength(10);
    expect(plot.querySelectorAll(".na")).toHaveLength(1);
  });

  it("give the raw numbers of an hour from the keyboard and show it in the other charts too", async () => {
    serve();
    const { user, container } = renderApp(ADDRESS);
    const hours = await screen.findByLabelText("Hours by requests, fewest first");
    act(() => hours.focus());
    await user.keyboard("{End}");
    expect(hours).toHaveAttribute("aria-valuetext", expect.stringMatching(/^\w{3} \d+ Nov \d\d:00 UTC\. [\d,]+ requests, cached/));
    expect(screen.getByText(hours.getAttribute("aria-valuetext")!)).toHaveClass("on");
    expect(container.querySelectorAll("#load .ring")).toHaveLength(1);
    expect(container.querySelectorAll("#timeline .hair")).toHaveLength(1);
    expect(container.querySelectorAll("#week .ring")).toHaveLength(1);
    await user.keyboard("{Escape}");
    expect(container.querySelectorAll(".ring, .hair")).toHaveLength(0);
  });

  it("put hours chosen with Shift and the arrow keys into the address, and take them out again", async () => {
    const asked = serve();
    const { user, address } = renderApp(ADDRESS);
    const hours = await screen.findByLabelText(/^Hours in order/);
    act(() => hours.focus());
    await user.keyboard("{Home}{Shift>}{ArrowRight}{ArrowRight}{/Shift}{Enter}");
    expect(address()).toBe(`${ADDRESS}?from=2026-11-19T13&to=2026-11-19T16`);
    expect(await screen.findByText(/^3 hours, Thu 19 Nov 13:00 to Thu 19 Nov 16:00 UTC/)).toBeInTheDocument();
    expect(asked.some((url) => url.searchParams.get("from") === "2026-11-19T13:00:00Z")).toBe(true);
    await user.click(screen.getByText("Whole window"));
    expect(address()).toBe(ADDRESS);
  });

  it("put hours that are dragged over into the address", async () => {
    serve();
    const { address } = renderApp(ADDRESS);
    const hours = await screen.findByLabelText(/^Hours in order/);
    hours.setPointerCapture = () => undefined;
    fireEvent.pointerDown(hours, { clientX: 300, clientY: 60, button: 0 });
    fireEvent.pointerMove(hours, { clientX: 400, clientY: 60 });
    fireEvent.pointerUp(hours, { clientX: 400, clientY: 60 });
    expect(address()).toMatch(/\?from=2026-11-21T\d\d&to=2026-11-22T\d\d$/);
  });

  it("become tables with the same hours, N/A where nothing is known", async () => {
    serve();
    const { user, address } = renderApp(ADDRESS);
    await user.click(await screen.findByLabelText("Table of share and requests by hour, UTC"));
    expect(address()).toBe(`${ADDRESS}?view=table`);
    const table = screen.getByLabelText("Hours in order").querySelector("table")!;
    expect(table.rows).toHaveLength(172);
    const missing = within(table).getByText("Sun 22 Nov 20:00").closest("tr")!;
    expect([...missing.cells].slice(1).map((cell) => cell.textContent)).toEqual(["N/A", "N/A", "N/A", "N/A", "no: not fetched"]);
    expect(screen.queryByLabelText(/^Cached share against/)).not.toBeInTheDocument();
  });

  it("lead to the same numbers as CSV", async () => {
    serve();
    renderApp(`${ADDRESS}?from=2026-11-20T00&to=2026-11-21T00`);
    const link = (name: string) => screen.findByLabelText(`CSV of ${name}`);
    expect(await link("share against load")).toHaveAttribute("href", "/series/acme/proj_rag/gpt-5.4.csv");
    expect(await link("share and requests by hour, UTC")).toHaveAttribute("href", "/series/acme/proj_rag/gpt-5.4.csv?from=2026-11-20T00&to=2026-11-21T00");
    expect((await link("verdict by day")).getAttribute("href")).toMatch(/^data:text\/csv/);
  });
});
