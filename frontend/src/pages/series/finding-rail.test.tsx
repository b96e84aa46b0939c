import { act, configure, screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it, vi } from "vitest";

import type { SeriesWork } from "../../api/types";
import { pageOf } from "../../testing/fixtures";
import { renderApp } from "../../testing/render-app";
import { historyFixture, hoursFixture, seriesFixture } from "../../testing/series-fixture";
import { answer, refuse, server } from "../../testing/server";
import { activity, finding, step, work } from "../../testing/work-fixtures";

// The page draws thousands of marks, which takes jsdom its time.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });

interface Sent {
  path: string;
  body: unknown;
}

async function open(given: SeriesWork = work()) {
  const sent: Sent[] = [];
  const seen = (url: URL, body: unknown) => sent.push({ path: url.pathname.replace("/api/v1", ""), body });
  server.use(
    answer("get", "/series/by-path", seriesFixture()),
    answer("get", "/series/:id", seriesFixture()),
    answer("get", "/series/:id/hours", hoursFixture()),
    answer("get", "/series/:id/verdicts", historyFixture()),
    answer("get", "/markers", pageOf([])),
    answer("get", "/series/:id/work", given),
    answer("get", "/series/:id/activity", pageOf([activity(), activity({ id: 92, action: "comment", sentence: "Commented", text: "Per-request key explains it.", by: "Mira Okafor" })])),
    answer("patch", "/findings/:id", finding(), seen),
    answer("put", "/series/:id/steps/:key", step(), seen),
    answer("put", "/series/:id/team-note", { text: "", html: "", version: 1, changed_by: "Mira Okafor", changed_at: "2026-11-26T15:00:00Z" }, seen),
    answer("post", "/series/:id/comments", activity(), seen),
  );
  const { user, router } = renderApp("/series/acme/proj_rag/gpt-5.4");
  const rail = within(await screen.findByLabelText("What to do about it"));
  await rail.findByText("Activity");
  return { user, rail, sent, router };
}

describe("a finding", () => {
  it("is acknowledged with the version that was seen", async () => {
    const { user, rail, sent } = await open();
    expect(rail.getByText("New, 2 days")).toBeVisible();
    await user.click(rail.getByText("Acknowledge finding"));
    await waitFor(() => expect(sent).toEqual([{ path: "/findings/4", body: { state: "acknowledged", version: 5 } }]));
    expect(await screen.findByText("The finding is acknowledged")).toBeInTheDocument();
  });

  it("is accepted with a reason until a day, and says under the field what is missing", async () => {
    const { user, rail, sent } = await open();
    await user.click(rail.getByText("Accept until a day"));
    server.use(refuse("patch", "/findings/:id", 422, { message: "One value cannot be used.", fields: [{ name: "reason", message: "say in a sentence why it is accepted" }] }));
    await user.click(rail.getByText("Accept finding"));
    expect(await rail.findByText("say in a sentence why it is accepted")).toBeVisible();
    server.use(answer("patch", "/findings/:id", finding(), (url, body) => sent.push({ path: url.pathname, body })));
    await user.type(rail.getByLabelText("Why it is accepted"), "One-off import");
    await user.type(rail.getByLabelText("Until (UTC)"), "2026-12-24");
    await user.click(rail.getByText("Accept finding"));
    await waitFor(() => expect(sent.at(-1)?.body).toEqual({ state: "accepted", reason: "One-off import", accepted_until: "2026-12-24", version: 5 }));
  });

  it("gets an owner from the people who may read it, and a link to the team's tracker", async () => {
    const { user, rail, sent } = await open();
    await user.click(rail.getByText("Assign an owner"));
    await user.selectOptions(rail.getByLabelText("Owner"), "Jonas Weber");
    await user.click(rail.getByText("Save owner"));
    await waitFor(() => expect(sent.at(-1)?.body).toEqual({ owner_id: 4, version: 5 }));
    await user.click(rail.getByText("Add a link"));
    await user.type(rail.getByLabelText("Link to your tracker"), "https://tracker.example.org/RAG-12");
    await user.click(rail.getByText("Save tracker"));
    await waitFor(() => expect(sent.at(-1)?.body).toEqual({ tracker: "https://tracker.example.org/RAG-12", version: 5 }));
  });

  it("says in words that somebody was faster, shows theirs, and saves anew on the new version", async () => {
    const { user, rail, sent } = await open();
    server.use(
      refuse("patch", "/findings/:id", 409, { code: "conflict", message: "Jonas Weber changed this finding 2 minutes ago. Look at it again, then save anew." }),
      answer("get", "/series/:id/work", work({ finding: finding({ standing: "Open 2 days", state: "in-progress", state_word: "In progress", version: 6 }) })),
    );
    await user.click(rail.getByText("Mark finding resolved"));
    expect(await rail.findByText("Jonas Weber changed this finding 2 minutes ago. What they saved stands here now.")).toBeVisible();
    expect(await rail.findByText("Open 2 days")).toBeVisible();
    server.use(answer("patch", "/findings/:id", finding(), (url, body) => sent.push({ path: url.pathname, body })));
    await user.click(rail.getByText("Save mine all the same"));
    await waitFor(() => expect(sent).toEqual([{ path: "/api/v1/findings/4", body: { state: "resolved", version: 6 } }]));
  });

  it("keeps the version that was seen when the owner's field was opened, and says what stands there now", async () => {
    const { user, rail, sent } = await open();
    await user.click(rail.getByText("Assign an owner"));
    await user.selectOptions(rail.getByLabelText("Owner"), "Jonas Weber");
    server.use(answer("get", "/series/:id/work", work({ finding: finding({ owner: { id: 3, name: "Mira Okafor" }, version: 6 }) })));
    await user.type(rail.getByPlaceholderText("Comment"), "Seen{Control>}{Enter}{/Control}");
    expect(await rail.findByText(/changed meanwhile; here stands now: Mira Okafor/)).toBeVisible();
    server.use(refuse("patch", "/findings/:id", 409, { code: "conflict", message: "Mira Okafor changed this finding just now. Look at it again, then save anew." }, (url, body) => sent.push({ path: url.pathname, body })));
    await user.click(rail.getByText("Save owner"));
    expect(await rail.findByText("Mira Okafor changed this finding just now. What they saved stands here now.")).toBeVisible();
    expect(sent.at(-1)?.body).toEqual({ owner_id: 4, version: 5 });
    server.use(answer("patch", "/findings/:id", finding(), (url, body) => sent.push({ path: url.pathname, body })));
    await user.click(rail.getByText("Save mine all the same"));
    await waitFor(() => expect(sent.at(-1)?.body).toEqual({ owner_id: 4, version: 6 }));
  });

  it("has no controls for those who only read, and says once who can change it", async () => {
    const { rail } = await open(work({ can_write: false, people: [] }));
    const part = within(rail.getByText("New, 2 days").closest("section")!);
    expect(part.queryAllByRole("button")).toEqual([]);
    expect(part.getByText("Owners, admins and members of this source can change what stands here.")).toBeVisible();
    expect(rail.queryAllByRole("checkbox")).toEqual([]);
    expect(rail.queryByText("Skip with a reason")).not.toBeInTheDocument();
    expect(rail.queryByPlaceholderText("Comment")).not.toBeInTheDocument();
  });
});

describe("the repair list", () => {
  it("says who ticked a step and when, keeps steps of a former verdict marked, and leaves them out of the count", async () => {
    const { rail } = await open();
    expect(rail.getByText("Repair: 1 of 3 steps done")).toBeVisible();
    expect(rail.getByLabelText("Compare the prompt at 04:00 and 14:00").closest("li")).toHaveTextContent("Mira Okafor, 25 Nov 09:12 UTC.");
    expect(rail.getByText("Send a two-call probe").closest("li")).toHaveTextContent("For flat low share; not part of the present list.");
    expect(rail.getByLabelText("Size the key").closest("li")).toHaveAttribute("aria-current", "step");
  });

  it("is ticked by hand, and x ticks the current step", async () => {
    const { user, rail, sent } = await open();
    await user.click(rail.getByLabelText("Ship prompt_cache_key"));
    await waitFor(() => expect(sent.at(-1)).toEqual({ path: "/series/7/steps/ship-key", body: { state: "done", reason: "", version: 0 } }));
    await user.keyboard("x");
    await waitFor(() => expect(sent.at(-1)).toEqual({ path: "/series/7/steps/size-the-key", body: { state: "done", reason: "", version: 0 } }));
    await user.click(rail.getByLabelText("Compare the prompt at 04:00 and 14:00"));
    await waitFor(() => expect(sent.at(-1)).toEqual({ path: "/series/7/steps/compare", body: { state: "open", reason: "", version: 1 } }));
  });

  it("skips a step with a reason", async () => {
    const { user, rail, sent } = await open();
    await user.click(within(rail.getByLabelText("Size the key").closest("li")!).getByText("Skip with a reason"));
    await user.type(rail.getByLabelText("Why it is skipped"), "One template only");
    await user.click(rail.getByText("Skip step"));
    await waitFor(() => expect(sent.at(-1)?.body).toEqual({ state: "skipped", reason: "One template only", version: 0 }));
  });

  it("shows code for one way of calling at a time", async () => {
    const { user, rail } = await open();
    expect(rail.getByRole("link", { name: "Key plan" })).toHaveAttribute("href", "/key-plan/acme/proj_rag/gpt-5.4");
    const item = within(rail.getByLabelText("Ship prompt_cache_key").closest("li")!);
    expect(item.getByText("client.responses.create(prompt_cache_key=key)")).toBeInTheDocument();
    await user.click(item.getByText("HTTP"));
    expect(item.getByText("curl https://api.openai.com/v1/responses")).toBeInTheDocument();
  });

  it("says at the step that somebody was faster", async () => {
    const { user, rail } = await open();
    server.use(refuse("put", "/series/:id/steps/:key", 409, { code: "conflict", message: "Jonas Weber skipped this just now. Look at it again, then save anew." }));
    await user.click(rail.getByLabelText("Size the key"));
    const item = within(rail.getByLabelText("Size the key").closest("li")!);
    expect(await item.findByText("Jonas Weber skipped this just now. What they saved stands here now.")).toBeVisible();
    expect(item.getByText("Tick it all the same")).toBeVisible();
  });
});

describe("notes and activity", () => {
  it("reads a handoff note once it is opened, to copy as Markdown", async () => {
    const { user, rail } = await open();
    server.use(answer("get", "/series/:id/notes/:key", { key: "changing-prefix", title: "A prefix that changes", markdown: "# A prefix", html: "<p>The shared part ends early.</p>" }));
    await user.click(rail.getByText("A prefix that changes"));
    expect(await rail.findByText("The shared part ends early.")).toBeInTheDocument();
    expect(rail.getByText("Copy as Markdown")).toBeInTheDocument();
  });

  it("saves the team's note", async () => {
    const { user, rail, sent } = await open();
    await user.click(rail.getByText("Write team note"));
    await user.type(rail.getByLabelText("Team note, Markdown"), "Ask the RAG team");
    await user.click(rail.getByText("Save team note"));
    await waitFor(() => expect(sent.at(-1)).toEqual({ path: "/series/7/team-note", body: { text: "Ask the RAG team", version: 0 } }));
  });

  it("keep what is half-written when the page is left, with the version it started from", async () => {
    const { user, rail, router } = await open();
    await user.click(rail.getByText("Write team note"));
    await user.type(rail.getByLabelText("Team note, Markdown"), "Ask the RAG");
    await user.type(rail.getByPlaceholderText("Comment"), "Half");
    await router.navigate("/readouts");
    await screen.findByRole("heading", { level: 1, name: /readout/i });
    const note = { text: "Theirs", html: "<p>Theirs</p>", version: 1, changed_by: "Jonas Weber", changed_at: "2026-11-26T15:00:00Z" };
    const versions: unknown[] = [];
    server.use(
      answer("get", "/series/:id/work", work({ team_note: note })),
      answer("put", "/series/:id/team-note", note, (_url, body) => versions.push(body)),
    );
    await router.navigate("/series/acme/proj_rag/gpt-5.4");
    expect(await screen.findByLabelText("Team note, Markdown")).toHaveValue("Ask the RAG");
    expect(screen.getByPlaceholderText("Comment")).toHaveValue("Half");
    await user.click(screen.getByLabelText("Ship prompt_cache_key"));
    expect(await screen.findByText("Theirs")).toBeVisible();
    await user.click(screen.getByText("Save team note"));
    await waitFor(() => expect(versions).toEqual([{ text: "Ask the RAG", version: 0 }]));
    await waitFor(() => expect(screen.queryByLabelText("Team note, Markdown")).not.toBeInTheDocument());
    expect(Object.keys(sessionStorage)).toEqual(["cachewatch-draft mira@example.org comment 7"]);
  });

  it("send a comment once, however fast its button is clicked", async () => {
    const { user, rail, sent } = await open();
    await user.type(rail.getByPlaceholderText("Comment"), "Once");
    const button = rail.getByRole("button", { name: "Comment" });
    act(() => {
      button.click();
      button.click();
    });
    await waitFor(() => expect(rail.getByPlaceholderText("Comment")).toHaveValue(""));
    expect(sent).toEqual([{ path: "/series/7/comments", body: { text: "Once" } }]);
  });

  it("show earlier activity page by page, and keep it where a page cannot be read", async () => {
    const { user, rail } = await open();
    const all = Array.from({ length: 70 }, (_, index) => activity({ id: 200 - index, sentence: `Entry ${index + 1}` }));
    const asked: string[] = [];
    server.use(
      http.get("*/api/v1/series/:id/activity", ({ request }) => {
        const query = new URL(request.url).searchParams;
        const [limit, offset] = [Number(query.get("limit")), Number(query.get("offset"))];
        asked.push(`${limit} from ${offset}`);
        return HttpResponse.json({ items: all.slice(offset, offset + limit), total: all.length, limit, offset });
      }),
    );
    await user.type(rail.getByPlaceholderText("Comment"), "Seen{Control>}{Enter}{/Control}");
    await user.click(await rail.findByText("Show earlier (62 more)"));
    expect(await rail.findByText("Entry 58")).toBeVisible();
    server.use(refuse("get", "/series/:id/activity", 422, { message: "One value cannot be used." }));
    await user.click(rail.getByText("Show earlier (12 more)"));
    expect(await rail.findByText("The activity could not be read again; what stands below is older")).toBeVisible();
    expect(rail.getByText("Entry 58")).toBeVisible();
    expect(asked).toEqual(["8 from 0", "8 from 0", "50 from 8"].slice(-asked.length));
  });

  it("lists what was done with who and when, and sends a comment with Ctrl and Enter", async () => {
    const { user, rail, sent } = await open();
    const opened = await rail.findByText("Finding opened: misses rise with load");
    expect(opened.closest("li")).toHaveTextContent("cachewatch 24 Nov 09:03 UTC");
    expect(rail.getByText("Per-request key explains it.").closest("li")).toHaveTextContent("Mira Okafor");
    await user.keyboard("c");
    await user.type(rail.getByPlaceholderText("Comment"), "Seen{Control>}{Enter}{/Control}");
    await waitFor(() => expect(sent.at(-1)).toEqual({ path: "/series/7/comments", body: { text: "Seen" } }));
  });
});
