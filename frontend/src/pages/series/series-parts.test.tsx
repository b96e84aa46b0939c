import { configure, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import type { SeriesParts } from "../../api/types";
import { pageOf } from "../../testing/fixtures";
import { marker } from "../../testing/readout-fixture";
import { renderApp } from "../../testing/render-app";
import { partsFixture } from "../../testing/parts-fixture";
import { historyFixture, hoursFixture, seriesFixture } from "../../testing/series-fixture";
import { answer, server } from "../../testing/server";
import * as works from "../../testing/work-fixtures";

// The page draws thousands of marks, which takes jsdom its time.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });

const ADDRESS = "/series/acme/proj_rag/gpt-5.4";

function serve(parts: Partial<SeriesParts> = {}) {
  server.use(
    answer("get", "/series/by-path", seriesFixture()),
    answer("get", "/series/7", seriesFixture()),
    answer("get", "/series/7/hours", hoursFixture()),
    answer("get", "/series/7/verdicts", historyFixture()),
    answer("get", "/series/7/parts", partsFixture(parts)),
    answer("get", "/markers", pageOf([marker()])),
  );
}

const region = (name: RegExp | string) => screen.findByRole("region", { name });

describe("parts of the week", () => {
  it("stand under the API's sentence, each with both shares and their tokens, or why there are none", async () => {
    serve();
    renderApp(ADDRESS);
    const parts = await region(/^Every part that can be compared shows the fall/);
    const row = (name: string) => within(parts).getByRole("rowheader", { name }).closest("tr")!;
    expect(row("Weekend")).toHaveTextContent("Weekend70%8.15M / 11.6M30%52.4M / 175M\u22120.9741");
    expect(row("After Mon 23 Nov 10:00")).toHaveTextContent("N/A5 hours linked, 8 are neededN/A5");
    expect(parts).toHaveTextContent("Before and after: key shipped, Mon 23 Nov 10:00 UTC.");
    expect(within(parts).getByRole("link", { name: "CSV of parts of the week, UTC" })).toHaveAttribute("download", "acme rag-answer gpt-5.4 parts of the week.csv");
  });

  it("become a table with the same numbers", async () => {
    serve();
    renderApp(`${ADDRESS}?view=table`);
    const table = (await screen.findByLabelText("Parts of the week with their quiet and busy thirds")).querySelector("table")!;
    const cells = [...within(table).getByText("Weekdays").closest("tr")!.cells].map((cell) => cell.textContent);
    expect(cells).toEqual(["Weekdays", "105", "23.0%", "23.0M / 100M", "68.0%", "7.92M / 11.6M", "15.0%", "26.2M / 175M", "\u22120.97"]);
  });
});

describe("the hero", () => {
  it("is coloured by the side of a repair where the address says so", async () => {
    serve();
    const { user, address } = renderApp(ADDRESS);
    await user.click(await screen.findByRole("link", { name: "Before / after key shipped" }));
    expect(address()).toBe(`${ADDRESS}?colour=rollout`);
    const plot = await screen.findByLabelText(/^Cached share against requests per hour/);
    const colours = [...plot.querySelectorAll<SVGElement>(".dot")].map((dot) => dot.style.fill);
    expect(new Set(colours)).toEqual(new Set(["var(--c-before)", "var(--c-after)"]));
    expect(screen.getByText(`before key shipped (${colours.filter((colour) => colour === "var(--c-before)").length})`)).toBeInTheDocument();
    await user.click(screen.getByRole("link", { name: "Hour of day" }));
    expect(address()).toBe(ADDRESS);
  });

  it("offers no such choice without a repair, and says so where the address asks for it", async () => {
    serve({ cut: null });
    renderApp(`${ADDRESS}?colour=rollout`);
    expect(await screen.findByText(/none is marked in this window. Dots are coloured by hour of day/)).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: /^Before \/ after/ })).not.toBeInTheDocument();
  });

  it("passes over a colour that is not known, with a notice", async () => {
    serve();
    renderApp(`${ADDRESS}?colour=red`);
    expect(await screen.findByText("The address says colour=red, which is not known. Dots are coloured by hour of day.")).toBeInTheDocument();
  });
});

describe("a marker in a chart", () => {
  it("opens its readout, from the keyboard too", async () => {
    serve();
    const { user, address } = renderApp(ADDRESS);
    const links = () => screen.getAllByRole("link", { name: "key shipped Mon 23 Nov 10:00: open its readout" });
    // In the timeline and in the history of verdicts.
    await waitFor(() => expect(links()).toHaveLength(2));
    links()[0]!.focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(address()).toBe("/readouts/9"));
  });

  it("without a readout of this series leads nowhere", async () => {
    serve();
    server.use(answer("get", "/markers", pageOf([marker({ kind: "deploy", word: "deploy", rollout: null })])));
    renderApp(ADDRESS);
    expect(await screen.findByText("deploy Mon 23 Nov 10:00", { selector: "text" })).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: /open its readout$/ })).not.toBeInTheDocument();
  });
});

describe("the line of the verdict", () => {
  it("says where the finding stands and who has it, and leads to where that is changed", async () => {
    serve();
    const finding = works.finding({ standing: "Open 9 days", owner: { id: 3, name: "Mira Okafor" } });
    server.use(answer("get", "/series/7/work", { ...works.noWork(), finding, can_write: true }));
    renderApp(ADDRESS);
    const change = await screen.findByRole("link", { name: "Change the owner" });
    expect(change).toHaveAttribute("href", `${ADDRESS}#finding`);
    expect(change.closest(".ids")).toHaveTextContent("finding: Open 9 daysowner Mira Okafor, change");
  });
});

describe("from CI", () => {
  it("the same marker is one call, which follows the form", async () => {
    serve();
    const { user } = renderApp(ADDRESS);
    await user.click(await screen.findByText("From CI instead"));
    expect(screen.getByLabelText("The call that marks it from CI")).toHaveTextContent('"kind": "key-shipped"');
    await user.selectOptions(screen.getByLabelText("What happened"), "Deploy");
    expect(screen.getByLabelText("The call that marks it from CI")).toHaveTextContent('"kind": "deploy", "project_id": "proj_rag", "model": "gpt-5.4"');
  });
});

describe("a handoff note", () => {
  it("is had as a Markdown file with its numbers", async () => {
    serve();
    server.use(
      answer("get", "/series/7/work", { ...works.noWork(), notes: [{ key: "retention", title: "Retention", fits: true }] }),
      answer("get", "/series/7/notes/retention", { key: "retention", title: "Retention", markdown: "# Retention\n\n68% of 41.8M", html: "<h1>Retention</h1>" }),
    );
    const { user } = renderApp(ADDRESS);
    await user.click(await screen.findByText("Retention"));
    const link = await screen.findByRole("link", { name: "Download the note Retention as a Markdown file" });
    expect(link).toHaveAttribute("download", "retention note rag-answer gpt-5.4.md");
    expect(decodeURIComponent(link.getAttribute("href")!)).toBe("data:text/markdown;charset=utf-8,# Retention\n\n68% of 41.8M");
  });
});
