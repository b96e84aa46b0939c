import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { freshness, me } from "../testing/fixtures";
import { renderApp } from "../testing/render-app";
import { answer, refuse, server } from "../testing/server";

describe("the frame", () => {
  it("names the product's parts, the freshness in words and in twelve marks, and what a share is", async () => {
    renderApp("/sources");
    const nav = within(await screen.findByRole("navigation", { name: "Main" }));
    expect(nav.getAllByRole("link").map((link) => link.textContent)).toEqual(["Overview", "Readouts", "Evidence", "Sources"]);
    expect(nav.getByRole("link", { name: "Sources" })).toHaveAttribute("aria-current", "page");
    expect(await screen.findByRole("img", { name: "Last twelve hours: nine complete, two settling, one open" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Complete to 13:00 UTC, 2 hours settling" })).toHaveAttribute("href", "/sources");
    expect(screen.getByText(/A share is cached input tokens \/ input tokens/)).toBeVisible();
    expect(screen.getByRole("link", { name: "Skip to content" })).toHaveAttribute("href", "#main");
  });

  it("labels demo data", async () => {
    server.use(answer("get", "/me", me({ demo: true })), answer("get", "/freshness", freshness({ demo: true })));
    renderApp("/settings");
    expect(await screen.findByText("demo data")).toBeVisible();
  });

  it("says that there is no page at an unknown address", async () => {
    renderApp("/no/such/page");
    expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("There is no page at this address");
    expect(screen.getByText("/no/such/page")).toBeVisible();
  });

  it("says so when the server does not answer, and comes back on Retry", async () => {
    server.use(refuse("get", "/me", 500, { message: "Something failed on the server; the log has this request id." }));
    const { user } = renderApp("/settings");
    expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("cachewatch could not be reached");
    server.resetHandlers();
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("Signed in as Mira Okafor");
  });
});

describe("keys", () => {
  beforeEach(() => {
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
    delete document.documentElement.dataset.theme;
  });

  it("lead to the pages, switch the theme and list themselves", async () => {
    const { user, address } = renderApp("/settings");
    await screen.findByRole("heading", { level: 1 });
    await user.keyboard("gs");
    await waitFor(() => expect(address()).toBe("/sources"));
    await user.keyboard("t");
    expect(document.documentElement.dataset.theme).toBe("dark");
    await user.keyboard("?");
    const list = within(screen.getByRole("dialog", { name: "Keyboard shortcuts of this page" }));
    expect(list.getByText("copy the address of this page")).toBeVisible();
    expect(list.getByText("next row")).toBeVisible();
  });

  it("are off inside fields", async () => {
    const { user } = renderApp("/settings");
    const name = await screen.findByLabelText("Name", { selector: "[autocomplete=name]" });
    await user.type(name, "t");
    expect(document.documentElement.dataset.theme).toBeUndefined();
  });
});
