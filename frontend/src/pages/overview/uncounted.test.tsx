import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { pageOf, seriesRows } from "../../testing/fixtures";
import { renderApp } from "../../testing/render-app";
import { answer, server } from "../../testing/server";
import { source } from "../../testing/source-fixtures";

const DEMO = source({ slug: "demo", name: "Demo data", kind: "demo", paused: true, series_count: 14 });

describe("series of demo data beside a source of one's own", () => {
  it("are reached from the page of the demo", async () => {
    const asked: string[] = [];
    server.use(
      answer("get", "/sources", pageOf([source(), DEMO])),
      answer("get", "/series", { ...pageOf(seriesRows()), total: 14 }, ({ search }) => asked.push(search)),
    );
    const { user, address } = renderApp("/sources?source=demo");
    await user.click(await screen.findByRole("link", { name: "All 14 series of it" }));
    expect(address()).toBe("/?source=demo");
    expect(await screen.findByRole("heading", { name: "14 series match the filters; no figure above counts Demo data" })).toBeVisible();
    expect(asked.at(-1)).toContain("source=demo");
    expect(screen.queryByText(/Passed over/)).not.toBeInTheDocument();
  });

  it("are a choice of the filter by source", async () => {
    server.use(answer("get", "/sources", pageOf([source(), DEMO])));
    const { user, address } = renderApp("/");
    await user.selectOptions(await screen.findByLabelText(/source/i, { selector: "select" }), "demo");
    expect(address()).toBe("/?source=demo");
  });
});
