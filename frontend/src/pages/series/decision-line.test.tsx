import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { seriesFixture } from "../../testing/series-fixture";

import { DecisionLine } from "./decision-line";

describe("the line of the decision", () => {
  it("says what was decided, when, and by how many windows", () => {
    render(<DecisionLine decision={seriesFixture().decision} />);
    expect(screen.getByText("Decided on Thu 26 Nov; confirmed by 3 of 3 daily windows, first seen on Tue 17 Nov.")).toBeInTheDocument();
  });

  it("is not there before the first decision", () => {
    const { container } = render(<DecisionLine decision={null} />);
    expect(container).toBeEmptyDOMElement();
  });
});
