import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { pageOf } from "../../testing/fixtures";
import { renderApp } from "../../testing/render-app";
import { answer, server } from "../../testing/server";
import { backfill, source } from "../../testing/source-fixtures";

const DEMO = source({ slug: "demo", name: "Demo data", kind: "demo", paused: true, series_count: 14 });

describe("the Overview while history is being read", () => {
  it("says that counts may change, and how far the reading is", async () => {
    server.use(answer("get", "/sources/:slug/backfill", backfill({ running: true, sentence: "2 of 26 weeks done, newest first" })));
    renderApp("/");
    const said = await screen.findByText(/^History is still being read, so counts, verdicts and when they began may change:/);
    expect(said).toHaveTextContent("Acme AI: 2 of 26 weeks done, newest first");
    expect(within(said).getByRole("link", { name: "Acme AI" })).toHaveAttribute("href", "/sources?source=acme");
  });

  it("says nothing of it once no week waits, and asks nothing of paused sources", async () => {
    const asked: string[] = [];
    server.use(
      answer("get", "/sources", pageOf([source(), DEMO])),
      answer("get", "/sources/:slug/backfill", backfill({ running: false }), ({ pathname }) => asked.push(pathname)),
    );
    renderApp("/");
    await waitFor(() => expect(asked).toEqual(["/api/v1/sources/acme/backfill"]));
    expect(await screen.findByText("Findings open")).toBeVisible();
    expect(screen.queryByText(/History is still being read/)).not.toBeInTheDocument();
  });
});
