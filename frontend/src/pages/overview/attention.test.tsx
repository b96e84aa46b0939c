import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { renderApp } from "../../testing/render-app";
import { answer, refuse, server } from "../../testing/server";
import { attention, attentionItem } from "../../testing/work-fixtures";

const near = attentionItem({
  kind: "near", kind_word: "Near a finding", group: "review", series_id: 9, project_name: "doc-search", series_path: "/series/acme/proj_doc/gpt-5.4",
  owner: null, finding_id: null, avoidable: null, money: { amount: "none claimed", basis: "", note: "" },
  next_step: { label: "Watch for 7 days", path: "/series/acme/proj_doc/gpt-5.4#evidence" },
});
const readout = attentionItem({
  kind: "readout", kind_word: "Improved", group: "review", series_id: 11, project_name: "catalog-enrich", readout_id: 3, readout_state: "improved",
  next_step: { label: "Review and decide", path: "/readouts/3" },
});

async function region() {
  return within((await screen.findByRole("heading", { level: 2, name: /attention$/ })).closest("section")!);
}

describe("what needs attention", () => {
  it("ends each row in one next step, with what it is about, what it costs and who has it", async () => {
    server.use(answer("get", "/attention", attention([attentionItem(), near])));
    renderApp("/");
    const part = await region();
    const rows = await part.findAllByRole("listitem");
    expect(rows.map((row) => within(row).getAllByRole("link").map((link) => link.getAttribute("href")))).toEqual([
      ["/series/acme/proj_rag/gpt-5.4", "/series/acme/proj_rag/gpt-5.4#repair"],
      ["/series/acme/proj_doc/gpt-5.4", "/series/acme/proj_doc/gpt-5.4#evidence"],
    ]);
    expect(rows[0]).toHaveTextContent("Misses rise with load");
    expect(rows[0]).toHaveTextContent("$1,051 to $2,300a week, low end: busy hours to 68%");
    expect(rows[0]).toHaveTextContent("Mira OkaforShip prompt_cache_key (step 3 of 3)");
    expect(rows[1]).toHaveTextContent("none claimedNo findingWatch for 7 days");
  });

  it("stands above the filters", async () => {
    server.use(answer("get", "/attention", attention([attentionItem()])));
    renderApp("/");
    const list = (await (await region()).findByRole("listitem")).closest("ol")!;
    expect(list.compareDocumentPosition(await screen.findByRole("searchbox")) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });

  it("keeps the tab in the address, and asks the API for it", async () => {
    const asked: string[] = [];
    server.use(answer("get", "/attention", attention([attentionItem()], { all: 3, review: 2, high: 1 }), (url) => asked.push(url.search)));
    const { user, address } = renderApp("/?q=rag");
    await user.click(await screen.findByRole("link", { name: "To review 2" }));
    expect(address()).toBe("/?q=rag&attention=review");
    await waitFor(() => expect(asked.at(-1)).toBe("?attention=review"));
    expect(screen.getByRole("link", { name: "To review 2" })).toHaveAttribute("aria-current", "true");
    expect(await screen.findByText(/One row for each series.*a series with several readouts stands here once/)).toBeVisible();
    expect(screen.getByRole("link", { name: "CSV" })).toHaveAttribute("href", "/series.csv?q=rag");
    await user.click(await screen.findByRole("checkbox", { name: /Routing/ }));
    expect(address()).toBe("/?q=rag&verdict=load-correlated-misses&attention=review");
  });

  it("says what sudden means where nothing is", async () => {
    server.use(answer("get", "/attention", attention([], { all: 3, high: 3 })));
    renderApp("/?attention=sudden");
    expect(await screen.findByText("No finding began or came back in the last seven days. Older ones stand under High level.")).toBeVisible();
  });

  it("says how many more there are, and that an unknown tab was passed over", async () => {
    server.use(answer("get", "/attention", attention([attentionItem()], { all: 12 })));
    renderApp("/?attention=loud");
    expect(await screen.findByText("The first 1 of 12: the most dollars a week first, then findings and readouts, the oldest first.")).toBeVisible();
    expect(await screen.findByText(/Passed over.*attention=loud/)).toBeVisible();
  });

  it("says that nothing waits", async () => {
    renderApp("/");
    expect(await screen.findByRole("heading", { name: "Nothing needs attention" })).toBeVisible();
  });

  it("fails alone, in words", async () => {
    server.use(refuse("get", "/attention", 503, { message: "The database does not answer." }));
    renderApp("/");
    expect(await screen.findByText("What needs attention could not be read")).toBeVisible();
    expect(await screen.findByRole("row", { name: /rag-answer/ })).toBeVisible();
  });

  it("is walked with j and k, on into the table and back, and Enter opens a row", async () => {
    server.use(answer("get", "/attention", attention([attentionItem(), readout])));
    const { user, address } = renderApp("/");
    const row = await screen.findByRole("row", { name: /^rag-answer/ });
    const items = await (await region()).findAllByRole("listitem");
    expect(within(items[1]!).getByText("Improved")).toHaveClass("s-improved");
    await user.keyboard("jj");
    expect(items[1]).toHaveAttribute("aria-current", "true");
    await user.keyboard("j");
    expect(items[1]).not.toHaveAttribute("aria-current");
    expect(row).toHaveAttribute("aria-current", "true");
    await user.keyboard("k{Enter}");
    await waitFor(() => expect(address()).toBe("/readouts/3"));
  });
});
