import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { renderApp } from "../../testing/render-app";
import { refuse, server } from "../../testing/server";

const scrolled = vi.fn<(this: Element) => void>();

describe("the page How cachewatch decides", () => {
  afterEach(() => vi.unstubAllGlobals());
  beforeEach(() => {
    scrolled.mockReset();
    Element.prototype.scrollIntoView = scrolled;
  });

  it("is reached from the footer, and shows each chapter as the API gives it, with links to its parts", async () => {
    const { user, address } = renderApp("/settings");
    await user.click(await screen.findByRole("link", { name: "How cachewatch decides" }));
    await waitFor(() => expect(address()).toBe("/how"));
    expect(await screen.findByRole("heading", { level: 1, name: "How cachewatch decides" })).toBeVisible();
    const chapter = within(await screen.findByRole("region", { name: "Verdicts" }));
    expect(chapter.getByText("First.")).toBeVisible();
    expect(chapter.getByRole("heading", { level: 3, name: "Words" })).toHaveAttribute("id", "verdicts-words");
    const contents = within(screen.getByRole("navigation", { name: "On this page" }));
    expect(contents.getByRole("link", { name: "Words" })).toHaveAttribute("href", "/how#verdicts-words");
    expect(within(screen.getByRole("region", { name: "How often the verdicts are right" })).getByText("96 % (94 to 97)")).toBeVisible();
    expect(document.title).toBe("How cachewatch decides - cachewatch");
  });

  it("lists every threshold with value, unit and source, those that a team may set first", async () => {
    renderApp("/how");
    expect(await screen.findByRole("heading", { level: 2, name: "One of 2 thresholds can be set by a team" })).toBeVisible();
    const rows = within(screen.getByRole("table", { name: "Thresholds with value, unit and source" })).getAllByRole("row");
    expect(rows.slice(1).map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
      ["Quiet-third sharequiet_floor", "15%", "share", "0% to 100%", "the published rule"],
      ["Fall inside the daygap_points", "5", "points", "fixed", "measured on fleets"],
    ]);
  });

  it("goes to the place its address names once the text is there", async () => {
    renderApp("/how#verdicts-words");
    const place = await screen.findByRole("heading", { level: 3, name: "Words" });
    expect(scrolled.mock.contexts.at(-1)).toBe(place);
  });

  it("has the parts of a chapter behind their headings on a narrow page, and opens the one that is asked for", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: () => undefined, removeEventListener: () => undefined }));
    renderApp("/how#verdicts-words");
    const part = (await screen.findByRole("heading", { level: 3, name: "Words" })).closest("details")!;
    expect(part).toHaveAttribute("open");
    expect(screen.getByText("Show the 2 thresholds")).toBeVisible();
  });

  it("says why when the rules cannot be read", async () => {
    server.use(refuse("get", "/rules", 500, { message: "Something failed on the server; the log has this request id." }));
    renderApp("/how");
    expect(await screen.findByText("The rules could not be read")).toBeVisible();
  });
});
