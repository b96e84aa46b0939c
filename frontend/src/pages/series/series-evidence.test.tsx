import { configure, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { evidencePage, evidenceRow } from "../../testing/evidence-fixture";
import { renderApp } from "../../testing/render-app";
import { historyFixture, hoursFixture, seriesFixture } from "../../testing/series-fixture";
import { answer, server } from "../../testing/server";

// The page draws thousands of marks, which takes jsdom its time.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });

const OPEN = { name: "fan-out", status: "open", numbers: {}, statement: "It may be so.", to_flip: "" } as const;

function open(logs: ReturnType<typeof evidencePage>, controls = [{ ...seriesFixture().controls[0]!, ...OPEN }]): void {
  const series = seriesFixture({ controls });
  server.use(
    answer("get", "/series/by-path", series),
    answer("get", "/series/:id", series),
    answer("get", "/series/:id/hours", hoursFixture()),
    answer("get", "/series/:id/verdicts", historyFixture()),
    answer("get", "/evidence", logs),
  );
  renderApp("/series/acme/proj_rag/gpt-5.4");
}

describe("evidence beside the verdict of a series", () => {
  it("says which open cause a log settles", async () => {
    open(evidencePage([evidenceRow({ closes: ["fan-out", "minutes"] })]));
    expect(await screen.findByText("Request logs settle 1 of 1 open cause")).toBeVisible();
    expect(screen.getByText(/settles fan out$/)).toBeVisible();
  });

  it("does not say that no cause is open above a finding that is only possible", async () => {
    const verdict = { cause: "routing-scatter", word: "Routing scatter", confidence: "possible", is_finding: true } as const;
    open(evidencePage([evidenceRow({ verdict })]), []);
    expect(await screen.findByText("Request logs of this series; what one shows is possible, not proven")).toBeVisible();
  });

  it("leads to the form where there is none", async () => {
    open(evidencePage());
    expect(await screen.findByText("No request log stands beside this verdict yet")).toBeVisible();
    expect(screen.getByText("Import a log")).toHaveAttribute("href", expect.stringMatching(/^\/evidence\?series=\d+#import$/));
  });
});
