import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { seriesFixture } from "../../testing/series-fixture";

import { DecisionLine } from "./decision-line";

describe("the line of the decision", () => {
  it("says what was decided, when, and by how many windows", () => {
    render(<DecisionLine decision={seriesFixture().decision} verdict={seriesFixture().verdict} />);
    expect(screen.getByText("Decided on Thu 26 Nov; confirmed by 3 of 3 daily windows, first seen on Tue 17 Nov.")).toBeInTheDocument();
  });

  it("says why it counts from another day than a verdict that is no finding", () => {
    const { decision, verdict } = seriesFixture();
    const none = { ...decision!, is_finding: false, code: "healthy" as const, since: "2026-11-03", sentence: "Decided on Sun 15 Nov." };
    const few = { ...verdict!, is_finding: false, code: "too-few-linked-hours" as const, since: "2026-11-30" };
    render(<DecisionLine decision={none} verdict={few} />);
    expect(screen.getByText("Decided on Sun 15 Nov. That day counts every verdict that is no finding; the day beside the verdict counts that verdict alone.")).toBeInTheDocument();
  });

  it("is not there before the first decision", () => {
    const { container } = render(<DecisionLine decision={null} verdict={null} />);
    expect(container).toBeEmptyDOMElement();
  });
});
