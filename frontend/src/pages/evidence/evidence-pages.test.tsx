import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { evidenceDetail, evidencePage, evidenceRow } from "../../testing/evidence-fixture";
import { renderApp } from "../../testing/render-app";
import { answer, refuse, server } from "../../testing/server";

describe("the list of evidence", () => {
  it("says what each log shows, and takes another one", async () => {
    server.use(answer("get", "/evidence", evidencePage([evidenceRow(), evidenceRow({ id: 4, path: "/evidence/4", state: "failed", heading: "The import ended early", verdict: null, requests: null })])));
    renderApp("/evidence");
    expect(await screen.findByRole("heading", { level: 1, name: "1 of 2 imported logs shows a finding" })).toBeVisible();
    expect(screen.getByText("Key churn: a new prompt_cache_key starts with nothing to find")).toBeVisible();
    expect(screen.getByText("Failed")).toBeVisible();
    expect(screen.getByRole("option", { name: "The generic form" })).toBeInTheDocument();
  });

  it("says of a log that is not read yet how far it is, and of its numbers nothing", async () => {
    const none = { share: null, cached_tokens: null, input_tokens: null };
    server.use(answer("get", "/evidence", evidencePage([evidenceRow({ state: "running", heading: "The log is being read", progress: { bytes_read: 1_500_000, bytes_total: 6_000_000 }, verdict: null, requests: null, pooled: none })])));
    renderApp("/evidence");
    expect(await screen.findByRole("heading", { level: 1, name: "The one imported log is not read yet" })).toBeVisible();
    expect(screen.getByText("25% of 6.0 MB is read.")).toBeVisible();
    expect(screen.getByText("not read")).toBeVisible();
  });

  it("imports a log for a series into the source of the series, without a choice", async () => {
    const asked: URLSearchParams[] = [];
    server.use(
      answer("get", "/evidence", evidencePage()),
      answer("post", "/evidence", evidenceRow(), (url) => asked.push(url.searchParams)),
      answer("get", "/evidence/3", evidenceDetail()),
    );
    const { user } = renderApp("/evidence?series=15#import");
    expect(await screen.findByText("It is attached to the series that this list is of, in the source Acme.")).toBeVisible();
    expect(screen.queryByLabelText("Source")).toBeNull();
    expect(screen.queryByRole("button", { name: "Read the stored requests" })).toBeNull();
    await user.upload(screen.getByLabelText("Log"), new File(["{}"], "a.jsonl"));
    await user.click(screen.getByRole("button", { name: "Import log" }));
    await waitFor(() => expect(asked.map((one) => [one.get("source"), one.get("series_id")])).toEqual([["acme", "15"]]));
  });

  it("has no form for those who only read", async () => {
    server.use(answer("get", "/evidence", evidencePage([], { import_into: [] })));
    renderApp("/evidence");
    expect(await screen.findByText("Owners, admins and members of a source can import logs.")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Import log" })).toBeNull();
  });

  it("asks for a file, and shows a refusal at its field", async () => {
    server.use(
      answer("get", "/evidence", evidencePage()),
      refuse("post", "/evidence", 422, { code: "invalid", message: "One value cannot be used.", fields: [{ name: "file", message: "a.jsonl: it is empty" }] }),
    );
    const { user } = renderApp("/evidence");
    await user.click(await screen.findByRole("button", { name: "Import log" }));
    expect(screen.getByRole("alert")).toHaveTextContent("Choose a file first.");
    await user.upload(screen.getByLabelText("Log"), new File(["{}"], "a.jsonl"));
    await user.click(screen.getByRole("button", { name: "Import log" }));
    expect(await screen.findByText("a.jsonl: it is empty")).toBeVisible();
    expect(screen.getByLabelText("Log")).toHaveFocus();
  });
});

describe("the page of an import", () => {
  it("shows the verdict, what it leaves open, arms, and parts that sum to 100.0%", async () => {
    server.use(answer("get", "/evidence/:id", evidenceDetail()));
    renderApp("/evidence/3");
    expect(await screen.findByRole("heading", { level: 1, name: /^Key churn/ })).toBeVisible();
    expect(screen.getByText("It does not prove that a stable key brings every hit.")).toBeVisible();
    const missed = screen.getByRole("table", { name: "Missed tokens by cause" });
    expect(within(missed).getByRole("rowheader", { name: /Unknown/ })).toBeVisible();
    expect(within(missed).getByText("100.0%")).toBeVisible();
    expect(within(missed).getByText("no list price")).toBeVisible();
    expect(within(missed).getByText("25% of the tokens priced")).toBeVisible();
    expect(screen.getByText(/^gpt-5.4: input \$2.50/)).toBeVisible();
    expect(within(screen.getByRole("table", { name: "Arms" })).getAllByText("n is small")).toHaveLength(2);
  });

  it("says how far a log is read", async () => {
    server.use(answer("get", "/evidence/:id", evidenceDetail({ state: "running", heading: "The log is being read", progress: { bytes_read: 200_000_000, bytes_total: 500_000_000 }, numbers: null, verdict: null })));
    renderApp("/evidence/3");
    expect(await screen.findByText(/^40% of 500 MB is read\./)).toBeVisible();
    expect(screen.getByRole("progressbar", { name: "Bytes of the log that are read" })).toHaveValue(200_000_000);
    expect(screen.queryByRole("button", { name: "Copy as evidence" })).toBeNull();
  });

  it("shows what older rules found while a log is read again", async () => {
    server.use(answer("get", "/evidence/:id", evidenceDetail({ state: "queued", progress: { bytes_read: 0, bytes_total: 5_000 } })));
    renderApp("/evidence/3");
    expect(await screen.findByText(/^The log waits for a worker.*older rules found/)).toBeVisible();
    expect(screen.getByRole("heading", { level: 1, name: /^Key churn/ })).toBeVisible();
  });

  it("gives the requests as a table too", async () => {
    server.use(answer("get", "/evidence/:id", evidenceDetail()));
    const { user } = renderApp("/evidence/3");
    await user.click(await screen.findByRole("button", { name: "Table" }));
    expect(within(screen.getByRole("table", { name: "Requests in the order sent" })).getByText("key changed, missed: key-churn")).toBeVisible();
  });

  it("says why an import failed", async () => {
    server.use(answer("get", "/evidence/:id", evidenceDetail({ state: "failed", heading: "The import ended before the log was read", numbers: null, verdict: null })));
    renderApp("/evidence/3");
    expect(await screen.findByRole("heading", { level: 1, name: "The import ended before the log was read" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Copy as evidence" })).toBeNull();
  });

  it("says where there is none", async () => {
    server.use(refuse("get", "/evidence/:id", 404, { code: "not_found" }));
    renderApp("/evidence/9");
    expect(await screen.findByRole("heading", { name: "There is no evidence at this address" })).toBeVisible();
  });
});
