import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { freshness, me, pageOf } from "../../testing/fixtures";
import { renderApp } from "../../testing/render-app";
import { accept, answer, refuse, server } from "../../testing/server";
import { coverage, run, source } from "../../testing/source-fixtures";

const heading = (name: string | RegExp, level = 2) => screen.findByRole("heading", { level, name });

describe("Sources", () => {
  it("says how far the data reaches, and what was stored, revised and rejected", async () => {
    renderApp("/sources");
    expect(await heading("Data is complete to 13:00 UTC; two hours are still settling", 1)).toBeVisible();
    expect(screen.getByText("10 minutes ago, 2.1 s")).toBeVisible();
    expect(screen.getByText("next at 16:12; 167 of the last 168 runs worked")).toBeVisible();
    expect(screen.getByText("25 Jul 2026 to 26 Nov 13:00")).toBeVisible();
    expect(await heading("No hour is missing in the last seven days")).toBeVisible();
    expect(await heading("2 of 6 weeks are in")).toBeVisible();
    expect(await screen.findByText("page 1, bucket 7, result 41")).toBeVisible();
    expect(screen.getByText("91.0% to 91.1%")).toBeVisible();
    expect(screen.getByText("+3.1%")).toBeVisible();
  });

  it("says in the doubt colour's words when no new data came", async () => {
    server.use(answer("get", "/freshness", freshness({ stale: true, hours_behind: 4 })));
    renderApp("/sources");
    expect(await heading("No new data for 4 hours; the last complete hour ended at 13:00 UTC", 1)).toBeVisible();
    expect(screen.getByRole("link", { name: "No new data for 4 hours" })).toHaveAttribute("href", "/sources");
  });

  it("counts missing hours, and gives the strip as a table", async () => {
    server.use(answer("get", "/sources/:slug/coverage", coverage(3)));
    const { user } = renderApp("/sources");
    expect(await heading("3 hours are missing in the last seven days")).toBeVisible();
    await user.click(screen.getByText("Table"));
    const table = within(screen.getByRole("region", { name: "Coverage by day" }));
    expect(table.getByRole("row", { name: "Thu 19 Nov 6 0 0 0 0 3" })).toBeVisible();
    expect(table.getByRole("row", { name: "Thu 26 Nov 13 0 0 2 1 0" })).toBeVisible();
  });

  it("shows which scope is missing and what the provider refused to group by", async () => {
    renderApp("/sources");
    expect(await screen.findByText("api.management.read is missing")).toBeVisible();
    expect(screen.getByText("project, model, API key, batch")).toBeVisible();
    expect(screen.getByText("refused by the provider: service tier")).toBeVisible();
    expect(screen.getByText("sk-admin-...9fQ2")).toBeVisible();
  });

  it("lists only runs with a problem when the address says so", async () => {
    const asked: string[] = [];
    const failed = run({ status: "failed", error: "The key was refused (401): make a new admin key.", error_code: "key_rejected" });
    server.use(answer("get", "/runs", pageOf([failed]), (url) => asked.push(url.search)));
    const { user, address } = renderApp("/sources");
    await user.click(await screen.findByRole("link", { name: "Only problems (1)" }));
    expect(address()).toBe("/sources?runs=failed");
    expect(await heading("Ingest runs with a problem")).toBeVisible();
    expect(screen.getByText("The key was refused (401): make a new admin key.")).toBeVisible();
    await waitFor(() => expect(asked).toContain("?source=acme&limit=50&offset=0&problems=true"));
  });
});

describe("the tabs of several sources", () => {
  it("keep their source when clicked again, and start the other's tables at the first row", async () => {
    server.use(answer("get", "/sources", pageOf([source(), source({ slug: "other", name: "Other" })])));
    const { user, address } = renderApp("/sources?source=other&runs=all&run=50");
    const tabs = within(await screen.findByRole("navigation", { name: "Source" }));
    expect(tabs.getByRole("link", { name: "Other" })).toHaveAttribute("aria-current", "true");
    await user.click(tabs.getByRole("link", { name: "Other" }));
    expect(address()).toBe("/sources?source=other&runs=all");
    await user.click(tabs.getByRole("link", { name: "Acme AI" }));
    expect(address()).toBe("/sources?source=acme&runs=all");
  });
});

describe("a run that ends while one looks", () => {
  it("is said aloud, and what depends on it is read again", async () => {
    server.use(answer("get", "/runs", pageOf([run({ status: "running", finished_at: null, seconds: null })])));
    renderApp("/sources");
    expect(await screen.findByText("running")).toBeVisible();
    server.use(
      answer("get", "/runs", pageOf([run()])),
      answer("get", "/sources", pageOf([source({ hours_stored: 2_990 })])),
    );
    expect(await screen.findByText("Hourly run of 26 Nov 15:12 read 2,016 rows of 48 hours")).toBeVisible();
    expect(await screen.findByText("2,990 hours, 14 series")).toBeVisible();
  });
});

describe("a source with a wrong key", () => {
  it("shows the sentence the provider's answer gave", async () => {
    const problem = "OpenAI refused the key (401): it was revoked or belongs to another organization.";
    server.use(answer("get", "/sources", pageOf([source({ problem })])));
    renderApp("/sources");
    expect(await heading("OpenAI connection has a problem")).toBeVisible();
    expect(screen.getByText(problem)).toBeVisible();
  });

  it("asks for the key again when no stored key opens it", async () => {
    const sent: unknown[] = [];
    server.use(
      answer("get", "/sources", pageOf([source({ key: { state: "unreadable", hint: "sk-admin-...9fQ2", variable: "" } })])),
      answer("patch", "/sources/acme", source(), (_, body) => sent.push(body)),
    );
    const { user } = renderApp("/sources");
    expect(await heading("OpenAI key unreadable, enter it again")).toBeVisible();
    await user.type(screen.getByLabelText("New admin key"), "sk-admin-new");
    await user.click(screen.getByRole("button", { name: "Test and replace key" }));
    expect(await screen.findByText("Admin key replaced")).toBeVisible();
    expect(sent).toEqual([{ admin_key: "sk-admin-new" }]);
  });
});

describe("what one may do with a source", () => {
  const NOTHING = { annotate: false, ingest: false, admin: false, add_source: false };

  it("is absent, with one line, for those who only read", async () => {
    server.use(
      answer("get", "/me", me({ role: "read-only", can: NOTHING })),
      answer("get", "/sources", pageOf([source({ can: { ingest: false, admin: false } })])),
    );
    renderApp("/sources");
    expect(await screen.findByText("Only an owner or an admin of this source can change it or start a run.")).toBeVisible();
    for (const name of ["Run now", "Test connection", "Pause hourly runs", "Remove source", "Read history", "Replace"]) {
      expect(screen.queryByRole("button", { name })).not.toBeInTheDocument();
    }
    expect(screen.queryByRole("link", { name: "Connect another source" })).not.toBeInTheDocument();
  });

  it("depends on the source: an admin of one source changes that one, and adds none", async () => {
    const other = source({ slug: "other", name: "Other", can: { ingest: false, admin: false } });
    server.use(
      answer("get", "/me", me({ role: "admin", source_slugs: ["acme"], can: { ...NOTHING, ingest: true, admin: true } })),
      answer("get", "/sources", pageOf([source(), other])),
    );
    const { user } = renderApp("/sources");
    expect(await screen.findByRole("button", { name: "Run now" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Remove source" })).toBeVisible();
    expect(await screen.findByRole("button", { name: "Read history" })).toBeVisible();
    expect(screen.queryByRole("link", { name: "Connect another source" })).not.toBeInTheDocument();
    await user.click(screen.getByRole("link", { name: "Other" }));
    expect(await screen.findByText("Only an owner or an admin of this source can change it or start a run.")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Run now" })).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Read history" })).not.toBeInTheDocument();
  });

  it("may be runs alone", async () => {
    server.use(answer("get", "/sources", pageOf([source({ can: { ingest: true, admin: false } })])));
    renderApp("/sources");
    expect(await screen.findByText("Only an owner or an admin of this source can change it.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Run now" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Remove source" })).not.toBeInTheDocument();
  });

  it("starts a run, and says so where one waits already", async () => {
    const sentence = "A run is queued already; it shows below when it has begun.";
    server.use(answer("post", "/sources/acme/run", { queued: false, sentence }));
    const { user } = renderApp("/sources");
    await user.click(await screen.findByRole("button", { name: "Run now" }));
    expect(await screen.findByText(sentence)).toBeVisible();
  });

  it("tests the connection and says what came out", async () => {
    const sentence = "The key works: api.usage.read is granted.";
    server.use(answer("post", "/sources/acme/probe", { ok: true, sentence, scopes: { usage: "granted", management: "granted" }, lookback: null }));
    const { user } = renderApp("/sources");
    await user.click(await screen.findByRole("button", { name: "Test connection" }));
    expect(await screen.findByText(sentence)).toBeVisible();
  });

  it("gives it another name or settle time", async () => {
    const sent: unknown[] = [];
    server.use(answer("patch", "/sources/acme", source({ name: "Acme", settle_minutes: 90 }), (_, body) => sent.push(body)));
    const { user } = renderApp("/sources");
    await user.click(await screen.findByText("Change name or settle time"));
    const settle = screen.getByLabelText("Settle time, minutes");
    await user.clear(settle);
    await user.type(settle, "90");
    await user.click(screen.getByRole("button", { name: "Save name and settle time" }));
    expect(await screen.findByText("Acme saved; verdicts follow the new settle time")).toBeVisible();
    expect(sent).toEqual([{ name: "Acme AI", settle_minutes: 90 }]);
  });

  it("removes it only after asking", async () => {
    const removed: string[] = [];
    server.use(accept("delete", "/sources/:slug", (url) => removed.push(url.pathname)));
    const { user } = renderApp("/sources");
    await user.click(await screen.findByRole("button", { name: "Remove source" }));
    const dialog = within(screen.getByRole("dialog", { name: "Remove Acme AI?" }));
    expect(dialog.getByText(/2,989 stored hours, 14 series/)).toBeVisible();
    expect(removed).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "Remove source" }));
    expect(await screen.findByText("Acme AI removed")).toBeVisible();
    expect(removed).toEqual(["/api/v1/sources/acme"]);
  });
});

describe("connecting a source", () => {
  it("tells a project key at the field, without asking anyone", async () => {
    const { user } = renderApp("/sources/new");
    const field = await screen.findByLabelText("Admin key");
    await user.type(field, "sk-proj-4kZt8");
    await user.click(screen.getByRole("button", { name: "Test and connect" }));
    expect(field).toHaveAccessibleDescription("This is a project key (sk-proj). OpenAI refuses it for usage. The key must start with sk-admin.");
    expect(field).toBeInvalid();
    expect(field).toHaveFocus();
    expect(field).toHaveValue("sk-proj-4kZt8");
  });

  it("shows the server's sentence about the key at the field", async () => {
    server.use(refuse("post", "/sources", 422, { code: "scope_missing", message: "The key lacks api.usage.read. Make one with that scope." }));
    const { user } = renderApp("/sources/new");
    const field = await screen.findByLabelText("Admin key");
    await user.type(field, "sk-admin-1");
    await user.click(screen.getByRole("button", { name: "Test and connect" }));
    await waitFor(() => expect(field).toHaveAccessibleDescription("The key lacks api.usage.read. Make one with that scope."));
    expect(field).toHaveValue("sk-admin-1");
  });

  it("leads to the new source", async () => {
    const sent: unknown[] = [];
    server.use(answer("post", "/sources", source({ slug: "openai", name: "OpenAI" }), (_, body) => sent.push(body)));
    const { user, address } = renderApp("/sources/new");
    await user.type(await screen.findByLabelText("Admin key"), " sk-admin-1 ");
    await user.selectOptions(screen.getByLabelText("History to read first"), "4 weeks");
    await user.click(screen.getByRole("button", { name: "Test and connect" }));
    await waitFor(() => expect(address()).toBe("/sources?source=openai"));
    expect(sent).toEqual([{ name: "OpenAI", kind: "openai", admin_key: "sk-admin-1", backfill_days: 28 }]);
  });
});

describe("a run's page", () => {
  it("says in its heading what the run did", async () => {
    server.use(answer("get", "/runs/7", run({ notices: ["batch was refused as a grouping"] })));
    renderApp("/sources/runs/7");
    expect(await heading("Hourly run of 26 Nov 15:12 read 2,016 rows of 48 hours", 1)).toBeVisible();
    expect(screen.getByText("batch was refused as a grouping")).toBeVisible();
  });

  it("says so when there is no such run", async () => {
    server.use(refuse("get", "/runs/9", 404, { code: "not_found", message: "There is no such run." }));
    renderApp("/sources/runs/9");
    expect(await heading("There is no run 9", 1)).toBeVisible();
  });
});
