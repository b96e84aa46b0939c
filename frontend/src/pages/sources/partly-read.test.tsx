import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { pageOf } from "../../testing/fixtures";
import { renderApp } from "../../testing/render-app";
import { answer, server } from "../../testing/server";
import { coverage, source } from "../../testing/source-fixtures";

describe("Hours that could not be read whole", () => {
  it("says what could not be read, counts the hours it concerns, and leads to the rejected values", async () => {
    const sentence = "In 48 of the last 48 hours a row could not be placed, last at page 1: it is a number, not a text.";
    const { hours } = coverage();
    const partly = hours.map((hour) => (hour.state === "complete" ? ({ ...hour, state: "partly" } as const) : hour));
    server.use(
      answer("get", "/sources", pageOf([source({ problem: sentence })])),
      answer("get", "/sources/:slug/coverage", { hours: partly }),
    );
    renderApp("/sources");
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(screen.getByRole("link", { name: "Rejected values" })).toHaveAttribute("href", "#rejected-values");
    expect(await screen.findByRole("heading", { name: "No hour is missing, 165 were partly read in the last seven days" })).toBeVisible();
  });
});
