import { configure, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import type { SeriesWork } from "../../api/types";
import { pageOf } from "../../testing/fixtures";
import { renderApp } from "../../testing/render-app";
import { historyFixture, hoursFixture, seriesFixture } from "../../testing/series-fixture";
import { answer, refuse, server } from "../../testing/server";
import { step, work } from "../../testing/work-fixtures";

// The page draws thousands of marks, which takes jsdom its time.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });

const TICKED = { state: "done" as const, reason: "", by: "Jonas Weber", at: "2026-11-26T15:00:00Z", version: 1 };
const FASTER = { code: "conflict", message: "Jonas Weber ticked this just now. Look at it again, then save anew." };

async function open(given: SeriesWork) {
  const sent: unknown[] = [];
  server.use(
    answer("get", "/series/by-path", seriesFixture()),
    answer("get", "/series/:id", seriesFixture()),
    answer("get", "/series/:id/hours", hoursFixture()),
    answer("get", "/series/:id/verdicts", historyFixture()),
    answer("get", "/markers", pageOf([])),
    answer("get", "/series/:id/activity", pageOf([])),
    answer("get", "/series/:id/work", given),
    answer("put", "/series/:id/steps/:key", step(), (_url, body) => sent.push(body)),
  );
  const { user } = renderApp("/series/acme/proj_rag/gpt-5.4");
  const rail = within(await screen.findByLabelText("What to do about it"));
  const item = within((await rail.findByLabelText("Size the key")).closest("li")!);
  return { user, rail, item, sent };
}

it("skips the step as it was when the form was opened, whatever somebody made of it since", async () => {
  const given = work();
  const { user, rail, item, sent } = await open(given);
  await user.click(item.getByText("Skip with a reason"));
  await user.type(item.getByLabelText("Why it is skipped"), "One template only");

  const checklist = given.checklist.map((one) => (one.step === "Size the key" ? { ...one, state: TICKED.state, mark: TICKED } : one));
  server.use(answer("get", "/series/:id/work", { ...given, checklist }));
  await user.click(rail.getByLabelText("Ship prompt_cache_key"));
  await item.findByText(/Jonas Weber/);

  server.use(refuse("put", "/series/:id/steps/:key", 409, FASTER, (_url, body) => sent.push(body)));
  await user.click(item.getByText("Skip step"));
  await waitFor(() => expect(sent.at(-1)).toEqual({ state: "skipped", reason: "One template only", version: 0 }));
  expect(await item.findByText("Jonas Weber ticked this just now. What they saved stands here now.")).toBeVisible();
  await user.click(item.getByText("Skip it all the same"));
  await waitFor(() => expect(sent.at(-1)).toEqual({ state: "skipped", reason: "One template only", version: 1 }));
});

it("is there to tick without a finding too, as for a review, and shows the code of its steps", async () => {
  const { user, rail, item, sent } = await open(work({ finding: null }));
  expect(rail.getByText("Next: 1 of 3 steps done")).toBeVisible();
  await user.click(item.getByRole("checkbox"));
  await waitFor(() => expect(sent).toEqual([{ state: "done", reason: "", version: 0 }]));
  expect(rail.getByText("client.responses.create(prompt_cache_key=key)")).toBeInTheDocument();
});

it("leads to the key plan inside the step that sets a key, once", async () => {
  const given = work();
  const setKey = step({ key: "stable-key", number: 9, step: "Set a stable prompt_cache_key" });
  const { rail } = await open({ ...given, checklist: [...given.checklist, setKey] });
  const link = rail.getByRole("link", { name: "Key plan" });
  expect(link.closest("li")).toBe(rail.getByLabelText("Set a stable prompt_cache_key").closest("li"));
  expect(link).toHaveAttribute("href", "/key-plan/acme/proj_rag/gpt-5.4");
});
