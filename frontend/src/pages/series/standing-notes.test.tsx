import { configure, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import type { Marker } from "../../api/types";
import { pageOf } from "../../testing/fixtures";
import { marker } from "../../testing/readout-fixture";
import { renderApp } from "../../testing/render-app";
import { historyFixture, hoursFixture, seriesFixture } from "../../testing/series-fixture";
import { answer, server } from "../../testing/server";
import { work } from "../../testing/work-fixtures";

// The page draws thousands of marks, which takes jsdom its time.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });

function open(given = work(), markers: Marker[] = []) {
  server.use(
    answer("get", "/series/by-path", seriesFixture()),
    answer("get", "/series/:id", seriesFixture()),
    answer("get", "/series/:id/hours", hoursFixture()),
    answer("get", "/series/:id/verdicts", historyFixture()),
    answer("get", "/series/:id/work", given),
    answer("get", "/series/:id/activity", pageOf([])),
    answer("get", "/markers", pageOf(markers)),
  );
  renderApp("/series/acme/proj_rag/gpt-5.4");
}

it("a repair that began before the finding was opened says why nothing moved", async () => {
  open(work(), [marker({ at: "2026-11-23T10:00:00Z" }), marker({ id: 12, at: "2026-11-25T10:00:00Z" })]);
  const said = await screen.findAllByText(/^It began before the finding was opened here on 24 Nov, so it leaves state and steps as they are/);
  expect(said).toHaveLength(1);
});

it("the note with the table of parts is open at once where the traffic mix fits", async () => {
  server.use(answer("get", "/series/:id/notes/:key", { key: "traffic-mix", title: "Traffic mix", markdown: "| API key |", html: "<table><tr><th>API key, tier</th></tr></table>" }));
  open(work({ notes: [{ key: "traffic-mix", title: "Traffic mix", fits: true }] }));
  expect(await screen.findByText("API key, tier")).toBeVisible();
});
