import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { evidenceDetail } from "../testing/evidence-fixture";
import { freshness, me } from "../testing/fixtures";
import { keyPlan } from "../testing/key-plan-fixture";
import { readout } from "../testing/readout-fixture";
import { renderApp } from "../testing/render-app";
import { seriesFixture } from "../testing/series-fixture";
import { answer, server } from "../testing/server";

const DEMO = { slug: "demo", name: "Demo", kind: "demo" };

async function crumb() {
  return within(await screen.findByRole("navigation", { name: "Where this is" }, { timeout: 10_000 }));
}

describe("the pages of one series", () => {
  it.each([
    ["a series", "/series/demo/proj_rag/gpt-5.4"],
    ["a key plan", "/key-plan/demo/proj_rag/gpt-5.4"],
    ["a readout", "/readouts/3"],
    ["evidence", "/evidence/7"],
  ])("mark %s of the demo while the header is that of a real source", async (_what, path) => {
    const series = seriesFixture({ source: DEMO });
    server.use(
      answer("get", "/series/by-path", series),
      answer("get", "/series/:id/key-plan", keyPlan()),
      answer("get", "/readouts/:id", readout({ source: DEMO })),
      answer("get", "/evidence/:id", evidenceDetail({ source: DEMO })),
    );
    renderApp(path);
    const where = await crumb();
    expect(where.getByText("demo data")).toBeVisible();
    expect(where.getByText("Demo")).toBeVisible();
  });

  it("name a real source without that mark", async () => {
    server.use(answer("get", "/series/by-path", seriesFixture()));
    renderApp("/series/acme/proj_rag/gpt-5.4");
    expect((await crumb()).getByText("Acme AI")).toBeVisible();
    expect(screen.queryByText("demo data")).toBeNull();
  });

  it("say so once while there is only the demo", async () => {
    server.use(answer("get", "/me", me({ demo: true })), answer("get", "/freshness", freshness({ demo: true })));
    server.use(answer("get", "/series/by-path", seriesFixture({ source: DEMO })));
    renderApp("/series/demo/proj_rag/gpt-5.4");
    await crumb();
    expect(screen.getAllByText("demo data")).toHaveLength(1);
  });
});
