import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { pageOf } from "../../testing/fixtures";
import { collecting, marker, readout, readoutPage, readoutRow, trafficChanged } from "../../testing/readout-fixture";
import { renderApp } from "../../testing/render-app";
import { hoursFixture } from "../../testing/series-fixture";
import { answer, refuse, server } from "../../testing/server";

const CAVEAT = /This is a before\/after comparison, not an experiment\. It shows a change at this time, not why it happened\./;

beforeEach(() => {
  server.use(
    answer("get", "/readouts", readoutPage([readoutRow(), collecting(), trafficChanged()])),
    answer("get", "/readouts/9", readout()),
    answer("get", "/readouts/10", collecting()),
    answer("get", "/readouts/11", trafficChanged()),
    answer("get", "/series/:id/hours", hoursFixture()),
    answer("get", "/markers", pageOf([marker()])),
  );
});

describe("the list", () => {
  it("states every readout with its numbers, and only claims without brackets", async () => {
    renderApp("/readouts");
    expect(await screen.findByRole("heading", { level: 1, name: "Of three readouts, one improved, one collecting and one without a claim" })).toBeInTheDocument();
    const [, improved, waiting, changed] = await screen.findAllByRole("row");
    expect(await within(improved!).findByText("+47.6")).toBeInTheDocument();
    expect(improved).toHaveTextContent("+47.6 netraw +47.5+43.1 to +53.0 of the raw change");
    expect(within(improved!).getByRole("link", { name: "rag-answer" })).toHaveAttribute("href", "/readouts/9");
    expect(await within(waiting!).findByRole("img", { name: /^9 of 48 hours after the marker/ })).toBeInTheDocument();
    expect(waiting).toHaveTextContent("no claim yet");
    expect(await within(changed!).findByText("(+47.6)")).toBeInTheDocument();
  });

  it("keeps the chosen states in the address and asks for them", async () => {
    const asked: string[][] = [];
    server.use(answer("get", "/readouts", readoutPage([readoutRow()]), (url) => asked.push(url.searchParams.getAll("state"))));
    const { user, address } = renderApp("/readouts");
    await user.click(await screen.findByRole("checkbox", { name: /^Worse/ }));
    expect(address()).toBe("/readouts?state=worse");
    await screen.findByRole("table");
    expect(asked).toContainEqual(["worse"]);
  });

  it("is one request, whose rows hold all that is shown", async () => {
    server.use(refuse("get", "/readouts/:id", 500, { code: "must_not_be_asked" }));
    renderApp("/readouts");
    expect(await screen.findByText("+47.6")).toBeInTheDocument();
    expect(screen.getAllByText("45.9M / 276M, 53 hours")).toHaveLength(3);
    expect(screen.getAllByText("rag-{tenant}")).toHaveLength(3);
    expect(screen.getByText("Requests an hour at the same hours of the day went from 1,062 to 370.")).toBeInTheDocument();
  });

  it("counts each state whatever is chosen, and clears the choice", async () => {
    server.use(answer("get", "/readouts", { ...readoutPage([readoutRow(), trafficChanged()]), items: [], total: 0 }));
    const { user, address } = renderApp("/readouts?state=worse");
    expect(await screen.findByRole("checkbox", { name: /^Improved.*1$/ })).toBeInTheDocument();
    expect(screen.getByRole("checkbox", { name: /^Worse.*0$/ })).toBeChecked();
    await user.click(await screen.findByRole("link", { name: "Clear filters" }));
    expect(address()).toBe("/readouts");
  });

  it("is sorted by a column, in the address, and so are its files", async () => {
    const asked: (string | null)[] = [];
    server.use(answer("get", "/readouts", readoutPage([readoutRow()]), (url) => asked.push(url.searchParams.get("sort"))));
    const { user, address } = renderApp("/readouts?state=improved");
    expect(await screen.findByRole("columnheader", { name: /Shipped/ })).toHaveAttribute("aria-sort", "descending");
    await user.click(screen.getByRole("link", { name: "Change" }));
    expect(address()).toBe("/readouts?state=improved&sort=-change");
    expect(screen.getByRole("link", { name: "CSV of readouts" })).toHaveAttribute("href", "/readouts.csv?state=improved&sort=-change");
    expect(asked).toEqual(expect.arrayContaining(["-shipped", "-change"]));
  });

  it("passes over a state that is none, with a notice", async () => {
    renderApp("/readouts?state=better");
    expect(await screen.findByText(/Passed over, because it means nothing here: state=better/)).toBeInTheDocument();
  });

  it("says what opens a readout where there is none", async () => {
    server.use(answer("get", "/readouts", readoutPage([])));
    renderApp("/readouts");
    expect(await screen.findByText(/Nothing has been marked as shipped yet/)).toBeInTheDocument();
  });
});

describe("a readout", () => {
  it("shows the finding with its caveat, and the measures with tokens and intervals", async () => {
    renderApp("/readouts/9");
    expect(await screen.findByRole("heading", { level: 1, name: "Busy-hour cached share rose from 17.0% to 64.5% after the key shipped" })).toBeInTheDocument();
    expect(screen.getByText(CAVEAT)).toBeInTheDocument();
    const measures = screen.getByRole("table", { name: "Measures before and after" });
    const [, busy] = within(measures).getAllByRole("row");
    expect(busy).toHaveTextContent("16.7%45.9M / 276M, 53 hours");
    expect(busy).toHaveTextContent("+47.6+42.9 to +53.1beyond untouched series; +47.5 with what they did");
    expect(within(busy!).getByRole("img", { name: "+47.6, interval +42.9 to +53.1" })).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "Untouched series moved by \u22120.1 points" })).toBeInTheDocument();
    expect(await screen.findByRole("img", { name: /^Cached share of each hour before and after the marker/ })).toBeInTheDocument();
  });

  it("that collects has neither interval nor verdict, but says what is missing and by when", async () => {
    renderApp("/readouts/10");
    expect(await screen.findByRole("heading", { level: 1, name: "9 of 48 hours after the marker; look again on Fri 27 Nov 10:00 UTC" })).toBeInTheDocument();
    expect(screen.getByRole("table", { name: "Numbers so far" })).toHaveTextContent("not stated yet");
    expect(screen.queryByRole("table", { name: "Measures before and after" })).not.toBeInTheDocument();
    expect(screen.queryByRole("columnheader", { name: /90% interval/ })).not.toBeInTheDocument();
    expect(screen.getByText("No value is claimed while hours are collected.")).toBeInTheDocument();
    expect(screen.queryByText("Record decision")).not.toBeInTheDocument();
  });

  it("of changed traffic states the failed check first, and no claim", async () => {
    renderApp("/readouts/11");
    expect(await screen.findByRole("heading", { level: 1, name: "Traffic changed; the weeks are not comparable" })).toBeInTheDocument();
    const [, first] = within(screen.getByRole("table", { name: "Checks for comparable traffic" })).getAllByRole("row");
    expect(first).toHaveTextContent("went from 1,062 to 370.against a claim");
    expect(screen.getByRole("table", { name: "Measures before and after" })).toHaveTextContent("(+47.6)");
    expect(screen.getByText("No value is claimed without a change that can be told.")).toBeInTheDocument();
  });

  it("is decided with a reason, and frozen", async () => {
    const sent: unknown[] = [];
    const decision = { outcome: "works", outcome_word: "Works", reason: "busy hours read the prefix", by: "Mira Okafor", at: "2026-11-26T15:22:00Z" } as const;
    server.use(answer("put", "/readouts/9/decision", readout({ decision }), (_url, body) => sent.push(body)));
    const { user } = renderApp("/readouts/9");
    await user.type(await screen.findByLabelText("Why"), "busy hours read the prefix");
    await user.click(screen.getByRole("button", { name: "Record decision" }));
    expect(screen.getByText("Choose one of the three.")).toBeInTheDocument();
    await user.click(screen.getByRole("radio", { name: /It works/ }));
    server.use(answer("get", "/readouts/9", readout({ decision })));
    await user.click(screen.getByRole("button", { name: "Record decision" }));
    expect(await screen.findByRole("heading", { name: "Decided: Works" })).toBeInTheDocument();
    expect(sent).toEqual([{ outcome: "works", reason: "busy hours read the prefix", version: readout().version }]);
    expect(screen.getByRole("button", { name: "Take the decision back" })).toBeInTheDocument();
  });

  it("that somebody else decided meanwhile shows their decision with who and when, and can be reopened", async () => {
    const decision = { outcome: "does-not-work", outcome_word: "Does not work", reason: "a night only", by: "Jonas Weber", at: "2026-11-26T15:21:00Z" } as const;
    const { user } = renderApp("/readouts/9");
    await user.type(await screen.findByLabelText("Why"), "busy hours read the prefix");
    await user.click(screen.getByRole("radio", { name: /It works/ }));
    server.use(
      refuse("put", "/readouts/9/decision", 409, { code: "decided", message: "Jonas Weber decided readout 9. Reopen it first." }),
      answer("get", "/readouts/9", readout({ decision })),
    );
    await user.click(screen.getByRole("button", { name: "Record decision" }));
    expect(await screen.findByRole("heading", { name: "Decided: Does not work" })).toBeInTheDocument();
    expect(screen.getByText(/^Yours was not recorded/)).toBeVisible();
    expect(screen.getByText(/^Jonas Weber, .*26 Nov/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Record decision" })).not.toBeInTheDocument();
    server.use(answer("delete", "/readouts/9/decision", readout()), answer("get", "/readouts/9", readout()));
    await user.click(screen.getByRole("button", { name: "Take the decision back" }));
    expect(await screen.findByLabelText("Why")).toHaveValue("busy hours read the prefix");
  });

  it("that was measured again is decided on the numbers that were seen, and after a refusal on the new ones", async () => {
    const sent: unknown[] = [];
    const { user } = renderApp("/readouts/9");
    await user.type(await screen.findByLabelText("Why"), "as seen");
    await user.click(screen.getByRole("radio", { name: /It works/ }));
    const message = "This readout was measured again. It says now: Worse.";
    server.use(
      refuse("put", "/readouts/9/decision", 409, { code: "conflict", message }, (_url, body) => sent.push(body)),
      answer("get", "/readouts/9", readout({ version: "later", heading: "Worse now" })),
    );
    await user.click(screen.getByRole("button", { name: "Record decision" }));
    expect(await screen.findByText(message)).toBeVisible();
    expect(await screen.findByRole("heading", { level: 1, name: "Worse now" })).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Record decision" }));
    await waitFor(() => expect(sent).toEqual([readout().version, "later"].map((version) => ({ outcome: "works", reason: "as seen", version }))));
  });

  it("says so where restated hours would change a frozen one", async () => {
    const late = { state: "worse", state_word: "Worse", sentence: "Hours have changed since the decision. Measured again: Worse.", at: "2026-11-26T15:00:00Z" } as const;
    server.use(answer("get", "/readouts/9", readout({ late })));
    renderApp("/readouts/9");
    expect(await screen.findByText(late.sentence)).toBeInTheDocument();
  });

  it("cannot be decided by those who only read", async () => {
    // What they may do on another source does not matter.
    server.use(answer("get", "/readouts/9", readout({ can: { annotate: false } })));
    renderApp("/readouts/9");
    expect(await screen.findByText("Owners, admins and members can decide on a readout.")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Record decision" })).not.toBeInTheDocument();
  });

  it("that is gone says so in words", async () => {
    server.use(refuse("get", "/readouts/77", 404, { code: "not_found" }));
    renderApp("/readouts/77");
    expect(await screen.findByRole("heading", { name: "There is no readout at this address" })).toBeInTheDocument();
  });

  it("is reached with g r", async () => {
    const { user, address } = renderApp("/readouts/9");
    await screen.findByRole("heading", { level: 1 });
    await user.keyboard("gr");
    expect(address()).toBe("/readouts");
  });
});
