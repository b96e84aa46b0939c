import { configure, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { pageOf } from "../../testing/fixtures";
import { renderApp } from "../../testing/render-app";
import { historyFixture, hoursFixture, seriesFixture } from "../../testing/series-fixture";
import { answer, refuse, server } from "../../testing/server";
import { activity, finding, step, work } from "../../testing/work-fixtures";

// The page draws thousands of marks, which takes jsdom its time.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });

/** The series with the owner's form open and somebody chosen, and what is sent to the finding. */
async function choosing() {
  const sent: unknown[] = [];
  const seen = (_url: URL, body: unknown) => sent.push(body);
  server.use(
    answer("get", "/series/by-path", seriesFixture()),
    answer("get", "/series/:id", seriesFixture()),
    answer("get", "/series/:id/hours", hoursFixture()),
    answer("get", "/series/:id/verdicts", historyFixture()),
    answer("get", "/series/:id/work", work()),
    answer("get", "/series/:id/activity", pageOf([activity()])),
    answer("patch", "/findings/:id", finding(), seen),
  );
  const { user } = renderApp("/series/acme/proj_rag/gpt-5.4");
  const rail = within(await screen.findByLabelText("What to do about it"));
  await user.click(await rail.findByText("Assign an owner"));
  await user.selectOptions(rail.getByLabelText("Owner"), "Jonas Weber");
  return { user, rail, sent, seen };
}

/** The same, after the tracker was saved on the same page; the finding is `version` then. */
async function savingTheTracker(version: number) {
  const { user, rail, sent, seen } = await choosing();
  await user.click(rail.getByText("Add a link"));
  const linked = finding({ tracker: "https://tracker.example.org/RAG-12", version });
  server.use(answer("patch", "/findings/:id", linked), answer("get", "/series/:id/work", work({ finding: linked })));
  await user.click(rail.getByText("Save tracker"));
  expect(await rail.findByRole("link", { name: "RAG-12" })).toBeVisible();
  server.use(answer("patch", "/findings/:id", finding(), seen));
  return { user, rail, sent };
}

describe("a form of a finding that was changed since it was opened", () => {
  it("saves where a step was ticked here, which began the work", async () => {
    const { user, rail, sent } = await choosing();
    const at = "2026-11-26T15:00:00Z";
    server.use(
      answer("put", "/series/:id/steps/:key", step({ state: "done", mark: { state: "done", reason: "", by: "Mira Okafor", at, version: 1 } })),
      answer("get", "/series/:id/work", work({ finding: finding({ state: "in-progress", state_word: "In progress", standing: "Open 2 days", state_since: at, version: 6 }) })),
    );
    await user.click(rail.getByLabelText("Size the key"));
    expect(await rail.findByText("Open 2 days")).toBeVisible();
    expect(rail.queryByText(/changed meanwhile/)).not.toBeInTheDocument();
    await user.click(rail.getByText("Save owner"));
    await waitFor(() => expect(sent.at(-1)).toEqual({ owner_id: 4, version: 6 }));
  });

  it("saves after another form of the same page was saved", async () => {
    const { user, rail, sent } = await savingTheTracker(6);
    await user.click(rail.getByText("Save owner"));
    await waitFor(() => expect(sent.at(-1)).toEqual({ owner_id: 4, version: 6 }));
  });

  it("does not take another one's version for its own where its save left nothing to change", async () => {
    const { user, rail, sent } = await savingTheTracker(7);
    await user.click(rail.getByText("Save owner"));
    await waitFor(() => expect(sent.at(-1)).toEqual({ owner_id: 4, version: 5 }));
  });

  it("says who began the work by a tick meanwhile, and saves over it only when told so", async () => {
    const { user, rail, sent, seen } = await choosing();
    const began = activity({ id: 93, action: "step", by: "Jonas Weber", at: "2026-11-26T15:13:00Z", sentence: "Ticked", fields: { step: ["open", "done"], state: ["new", "in-progress"] } });
    server.use(
      refuse("patch", "/findings/:id", 409, { code: "conflict", message: "The product changed this finding 2 days ago. Look at it again, then save anew." }, seen),
      answer("get", "/series/:id/work", work({ finding: finding({ state: "in-progress", state_since: began.at, version: 6 }) })),
      answer("get", "/series/:id/activity", pageOf([began, activity()])),
    );
    await user.click(rail.getByText("Save owner"));
    const form = within(rail.getByText("Save owner").closest("form")!);
    expect(await form.findByText(/^Jonas Weber changed this finding .+ ago\. What they saved stands here now\.$/)).toBeVisible();
    await user.click(rail.getByText("Save owner"));
    await waitFor(() => expect(sent).toEqual([{ owner_id: 4, version: 5 }, { owner_id: 4, version: 5 }]));
    server.use(answer("patch", "/findings/:id", finding(), seen));
    await user.click(await form.findByText("Save mine all the same"));
    await waitFor(() => expect(sent.at(-1)).toEqual({ owner_id: 4, version: 6 }));
  });
});
