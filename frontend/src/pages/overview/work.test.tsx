import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { me, overview, pageOf, rowWork, seriesRow, seriesRows } from "../../testing/fixtures";
import { renderApp } from "../../testing/render-app";
import { answer, server } from "../../testing/server";

async function tableRow(name: RegExp) {
  return within(await screen.findByRole("row", { name }));
}

describe("the work behind the table", () => {
  it("counts findings without an owner, series near a finding, and keys awaiting their readout", async () => {
    server.use(answer("get", "/overview", overview({ near_threshold: 2, unowned_findings: 1, collecting_readouts: 1, readouts_to_review: 2 })));
    renderApp("/");
    const figure = async (label: string) => (await screen.findByText(label, { selector: "dt" })).parentElement;
    expect(await figure("Findings open")).toHaveTextContent(/1 with a verdict that began in the last 3 days, 1 without an owner.*; 2 near a finding$/);
    expect(await figure("Readouts undecided")).toHaveTextContent("3 1 collecting, 2 to review");
  });

  it("says how far the repair of a series is and who has it, and leads to the field that sets an owner", async () => {
    const shipped = rowWork({ rollout: "Improved", rollout_note: "key shipped, 18 Nov", readout_id: 3, readout_state: "improved", owner: null });
    const none = rowWork({ finding_id: null, finding_state: null, standing: null, owner: null, rollout: "None needed", rollout_note: "" });
    server.use(answer("get", "/series", pageOf([seriesRow({ work: shipped }), { ...seriesRows()[1]!, work: none }])));
    renderApp("/");
    const row = await tableRow(/^rag-answer/);
    expect(row.getByRole("link", { name: "Improved" })).toHaveAttribute("href", "/readouts/3");
    expect(row.getByText("key shipped, 18 Nov")).toBeVisible();
    expect(row.getByRole("link", { name: "Assign" })).toHaveAttribute("href", "/series/acme/proj_rag/gpt-5.4#finding");
    const other = await tableRow(/^translate/);
    expect(other.getByText("None needed")).toBeVisible();
    expect(other.queryByText("No owner")).not.toBeInTheDocument();
  });

  it("offers no field to those who only read", async () => {
    const reader = me({ role: "read-only", can: { annotate: false, ingest: false, admin: false, add_source: false } });
    server.use(answer("get", "/me", reader), answer("get", "/series", pageOf([seriesRow({ work: rowWork({ owner: null }) })])));
    renderApp("/");
    const row = await tableRow(/^rag-answer/);
    expect(row.getByText("No owner")).toBeVisible();
    expect(row.queryByRole("link", { name: "Assign" })).not.toBeInTheDocument();
  });

  it("says what a series near a finding still misses", async () => {
    const nearest = "busy is 61% of quiet, a finding starts at 60%";
    server.use(answer("get", "/series", pageOf([seriesRow({ verdict: { ...seriesRow().verdict!, nearest } })])));
    renderApp("/");
    expect((await tableRow(/^rag-answer/)).getByText(nearest)).toBeVisible();
  });

  it("narrow to an owner, a state of the finding and what is near one", async () => {
    const asked: string[] = [];
    server.use(answer("get", "/series", pageOf(seriesRows()), (url) => asked.push(url.searchParams.toString())));
    const { user, address } = renderApp("/");
    await screen.findByRole("option", { name: "Mira Okafor" });
    await user.selectOptions(screen.getByRole("combobox", { name: "Owner" }), "No owner");
    await user.selectOptions(screen.getByRole("combobox", { name: "Finding state" }), "Regressed");
    await user.click(screen.getByRole("checkbox", { name: "Near a finding 0" }));
    expect(address()).toBe("/?owner=none&finding=regressed&near=1");
    await waitFor(() => expect(asked.at(-1)).toBe("owner=none&finding=regressed&near=true&limit=50&offset=0"));
  });
});
