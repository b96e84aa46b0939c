import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { overview, pageOf, seriesRow, seriesRows } from "../../testing/fixtures";
import { renderApp } from "../../testing/render-app";
import { answer, server } from "../../testing/server";

async function tableRow(name: RegExp) {
  return within(await screen.findByRole("row", { name }));
}

describe("the words of the Overview", () => {
  it("says that nothing is judged while no verdict is there, and counts no findings", async () => {
    server.use(answer("get", "/overview", overview({ window: null, findings: 0, headline: "No verdict yet", groups: [] })));
    renderApp("/");
    expect(await screen.findByText("3 series found, none of them judged yet")).toBeVisible();
    expect(await screen.findByRole("heading", { name: "Nothing is judged yet, so nothing can need attention" })).toBeVisible();
    expect(screen.getByText("Findings open").parentElement).toHaveTextContent("Findings openN/Anothing is judged yet");
  });

  it("gives no all-clear where every series has too few hours", async () => {
    const groups = [{ name: "no-data", label: "No data", codes: ["too-few-linked-hours"], count: 3 }] as const;
    server.use(answer("get", "/overview", overview({ findings: 0, groups: groups.map((group) => ({ ...group, codes: [...group.codes] })) })));
    renderApp("/");
    expect(await screen.findByText("3 series found, none of them judged yet")).toBeVisible();
    expect(await screen.findByRole("heading", { name: "Nothing is judged yet, so nothing can need attention" })).toBeVisible();
    expect(screen.queryByText(/No finding is open/)).toBeNull();
  });

  it("says of how many series nothing is known beside those without a finding", async () => {
    server.use(answer("get", "/overview", overview({ findings: 0 })));
    renderApp("/");
    expect(await screen.findByText("None of the 2 judged series has an open finding; 1 cannot be judged")).toBeVisible();
    expect(await screen.findByRole("heading", { name: "Nothing needs attention" })).toBeVisible();
    expect(screen.getByText(/1 of 3 series cannot be judged\.$/)).toBeVisible();
  });

  it("says of a series that is idle for the whole window that it had no traffic", async () => {
    const nothing = { share: null, cached_tokens: null, input_tokens: null };
    server.use(answer("get", "/series", pageOf([seriesRow({ pooled: nothing, idle_days: 20, requests_per_day: null })])));
    renderApp("/");
    const row = await tableRow(/^rag-answer/);
    expect(row.getAllByText("no traffic")).toHaveLength(2);
    expect(row.getByText("no traffic for 20 days")).toBeVisible();
  });

  it("says of hours that are not settled yet that they are, and of few requests that there were some", async () => {
    const nothing = { share: null, cached_tokens: null, input_tokens: null };
    server.use(answer("get", "/series", pageOf([
      seriesRow({ pooled: nothing, requests_per_day: null, awaits_settling: true }),
      { ...seriesRows()[1]!, requests_per_day: 0.29 },
    ])));
    renderApp("/");
    const row = await tableRow(/^rag-answer/);
    expect(row.getAllByText("not settled yet")).toHaveLength(2);
    expect(row.queryByText(/not reported/)).toBeNull();
    expect((await tableRow(/^translate/)).getByText("under 1")).toBeVisible();
  });

  it("offers projects and models in the order of the alphabet", async () => {
    renderApp("/");
    const project = await screen.findByRole("combobox", { name: "Project" });
    await waitFor(() => expect(within(project).getAllByRole("option")).toHaveLength(4));
    expect(within(project).getAllByRole("option").map((one) => one.textContent)).toEqual(["Any project", "(none)", "rag-answer", "translate"]);
    const model = screen.getByRole("combobox", { name: "Model" });
    expect(within(model).getAllByRole("option").map((one) => one.textContent)).toEqual(["Any model", "gpt-4.1", "gpt-5.4"]);
  });

  it("lists Enter among the shortcuts before a row is chosen", async () => {
    const { user } = renderApp("/");
    await tableRow(/^rag-answer/);
    await user.click(screen.getByRole("button", { name: /all shortcuts/ }));
    expect(screen.getByText("open the current row")).toBeInTheDocument();
  });
});
