import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import type { SeriesDetail } from "../../api/types";
import { pageOf } from "../../testing/fixtures";
import { marker, proposal } from "../../testing/readout-fixture";
import { renderApp } from "../../testing/render-app";
import { historyFixture, hoursFixture, seriesFixture } from "../../testing/series-fixture";
import { accept, answer, refuse, server } from "../../testing/server";

const ADDRESS = "/series/acme/proj_rag/gpt-5.4";
const SCATTERS = "A key per request scatters like no key: it is used once.";
const NO_NOTES = { refused: false, notes: [], requests_per_minute_at_peak: 83, requests_per_minute_per_key: 14, by_minute: false };

function serve(changes: Partial<SeriesDetail> = {}) {
  server.use(
    answer("get", "/series/by-path", seriesFixture(changes)),
    answer("get", "/series/7", seriesFixture(changes)),
    answer("get", "/series/7/hours", hoursFixture()),
    answer("get", "/series/7/verdicts", historyFixture()),
  );
}

beforeEach(() => serve());

describe("marking a key as shipped", () => {
  it("sends the marker in UTC and draws it at once", async () => {
    const sent: unknown[] = [];
    server.use(
      answer("post", "/rollouts/lint", NO_NOTES),
      answer("post", "/markers", marker(), (_url, body) => sent.push(body)),
    );
    const { user } = renderApp(ADDRESS);
    const form = await screen.findByRole("form", { name: "Mark key shipped" });
    fireEvent.change(within(form).getByLabelText("When it reached all traffic (UTC)"), { target: { value: "2026-11-23T10:00" } });
    expect(within(form).getByText("Mon 23 Nov 10:00 UTC, 3 days ago")).toBeInTheDocument();
    await user.type(within(form).getByLabelText("Key name or shape, never a real value"), "rag-{{tenant}");
    await user.selectOptions(within(form).getByLabelText("One key for each"), "Tenant or document");
    expect(await within(form).findByText(/Nothing speaks against it: about 14 requests a minute per key/)).toBeInTheDocument();
    expect(within(form).getByText("12 of 64 characters")).toBeInTheDocument();
    server.use(answer("get", "/markers", pageOf([marker()])));
    await user.click(within(form).getByRole("button", { name: "Mark key shipped" }));
    expect(await screen.findByRole("link", { name: "Improved" })).toHaveAttribute("href", "/readouts/9");
    expect(sent).toEqual([{
      source: "acme", kind: "key-shipped", series_id: 7, at: "2026-11-23T10:00:00Z", until: null, link: "", note: "", external_id: "",
      particulars: { key: "rag-{tenant}", granularity: "tenant-document" },
    }]);
    expect(await screen.findByText("key shipped Mon 23 Nov 10:00", { selector: "text" })).toBeInTheDocument();
  });

  it("warns while the key is described, and does not stop it", async () => {
    server.use(answer("post", "/rollouts/lint", { ...NO_NOTES, notes: [{ code: "scatters", severity: "warning", field: "granularity", sentence: SCATTERS }] }));
    const { user } = renderApp(ADDRESS);
    await user.selectOptions(await screen.findByLabelText("One key for each"), "Request");
    expect(await screen.findByText(SCATTERS)).toHaveTextContent(`Warning. ${SCATTERS}`);
    expect(screen.getByRole("button", { name: "Mark key shipped" })).toBeEnabled();
  });

  it("a refusal stands under its field, which keeps its value and takes the focus", async () => {
    server.use(
      answer("post", "/rollouts/lint", NO_NOTES),
      refuse("post", "/markers", 422, { fields: [{ name: "particulars.key", message: "This holds what looks like a UUID." }] }),
    );
    const { user } = renderApp(ADDRESS);
    const key = await screen.findByLabelText("Key name or shape, never a real value");
    await user.type(key, "rag-1f0c");
    await user.click(screen.getByRole("button", { name: "Mark key shipped" }));
    expect(await screen.findByText("This holds what looks like a UUID.")).toBeInTheDocument();
    expect(key).toHaveValue("rag-1f0c");
    expect(key).toHaveAttribute("aria-invalid", "true");
  });

  it("asks of each kind what it needs", async () => {
    const { user } = renderApp(ADDRESS);
    await user.selectOptions(await screen.findByLabelText("What happened"), "Breakpoint set or moved");
    expect(screen.getByLabelText("Where the breakpoint stands")).toBeInTheDocument();
    expect(screen.queryByLabelText("One key for each")).not.toBeInTheDocument();
    await user.selectOptions(screen.getByLabelText("What happened"), "Incident");
    expect(screen.getByLabelText("When (UTC)")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Mark incident" })).toBeInTheDocument();
  });

  it("is one key away", async () => {
    const { user } = renderApp(ADDRESS);
    await screen.findByRole("form", { name: "Mark key shipped" });
    await user.keyboard("m");
    await vi.waitFor(() => expect(screen.getByLabelText("What happened")).toHaveFocus());
  });
});

describe("markers that are there", () => {
  it("are changed with the version that was seen", async () => {
    const sent: unknown[] = [];
    server.use(answer("get", "/markers", pageOf([marker()])), answer("post", "/rollouts/lint", NO_NOTES), answer("patch", "/markers/3", marker(), (_url, body) => sent.push(body)));
    const { user } = renderApp(ADDRESS);
    await user.click(await screen.findByRole("button", { name: "Change key shipped of Mon 23 Nov 10:00" }));
    const note = await screen.findByLabelText("Note");
    expect(note).toHaveValue("all pods");
    await user.type(note, " since 10:00");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    expect(await screen.findByRole("form", { name: "Mark key shipped" })).toBeInTheDocument();
    expect(sent).toMatchObject([{ note: "all pods since 10:00", version: 2 }]);
  });

  it("are deleted after a question", async () => {
    const deleted: string[] = [];
    server.use(answer("get", "/markers", pageOf([marker()])), accept("delete", "/markers/3", (url) => deleted.push(url.pathname)));
    const { user } = renderApp(ADDRESS);
    await user.click(await screen.findByRole("button", { name: "Delete marker" }));
    const dialog = await screen.findByRole("dialog", { name: "Delete key shipped of Mon 23 Nov 10:00 UTC?" });
    server.use(answer("get", "/markers", pageOf([])));
    await user.click(within(dialog).getByRole("button", { name: "Delete marker" }));
    expect(await screen.findByRole("heading", { name: "No change is marked yet" })).toBeInTheDocument();
    expect(deleted).toEqual(["/api/v1/markers/3"]);
  });

  it("that the data proposes wait for somebody", async () => {
    const confirmed: string[] = [];
    server.use(answer("get", "/markers", pageOf([proposal()])), answer("post", "/markers/4/confirm", marker(), (url) => confirmed.push(url.pathname)));
    const { user } = renderApp(ADDRESS);
    const proposed = await screen.findByRole("group", { name: "Proposed: model changed" });
    expect(proposed).toHaveTextContent("Mark it? gpt-5.6 is first seen in this project. Tue 24 Nov 00:00 UTC");
    await user.click(within(proposed).getByRole("button", { name: "Mark model changed" }));
    await vi.waitFor(() => expect(confirmed).toEqual(["/api/v1/markers/4/confirm"]));
  });

  it("are only read by those who may not annotate", async () => {
    serve({ can: { annotate: false } });
    server.use(answer("get", "/markers", pageOf([marker(), proposal()])));
    renderApp(ADDRESS);
    expect(await screen.findByRole("link", { name: "Improved" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Delete marker" })).not.toBeInTheDocument();
    expect(screen.queryByRole("form", { name: "Mark key shipped" })).not.toBeInTheDocument();
    expect(screen.getByText("Changes can be marked by those who may annotate this source.")).toBeInTheDocument();
  });
});
