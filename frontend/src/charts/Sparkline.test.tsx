import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { SlopeGlyph, slopeY } from "./SlopeGlyph";
import { placeShares, Sparkline } from "./Sparkline";

const at = (share: number | null, index: number) => ({ t: `2026-11-20T${String(index).padStart(2, "0")}:00:00Z`, share });

describe("Sparkline", () => {
  it("breaks the line at a gap and never draws it as zero", () => {
    const { container } = render(<Sparkline points={[0.5, 0.5, null, 0.5, 0.5].map(at)} />);
    const path = container.querySelector(".sparkline")?.getAttribute("d") ?? "";
    expect(path.match(/M/g)).toHaveLength(2);
    expect(path).not.toContain(",27");
  });

  it("puts the end dot on the last known point", () => {
    const { container } = render(<Sparkline points={[0.2, 0.5, null].map(at)} />);
    const dot = container.querySelector("circle[r='2.2']");
    expect(dot).toHaveAttribute("cy", "15");
  });

  it("shows a point between two gaps as a dot, since a line cannot show it", () => {
    const { container } = render(<Sparkline points={[null, 0.5, null, 0.4, 0.4].map(at)} />);
    expect(container.querySelectorAll("circle[r='0.9']")).toHaveLength(1);
  });

  it("draws nothing but the scale when nothing is known", () => {
    const { container } = render(<Sparkline points={Array.from({ length: 28 }, (_, index) => at(null, index))} />);
    expect(container.querySelectorAll("circle")).toHaveLength(0);
    expect(container.querySelector(".sparkline")).toHaveAttribute("d", "");
  });

  it("keeps 0 and 100% at the same heights whatever the shares are", () => {
    expect(placeShares([0, 1]).map((point) => point.y)).toEqual([27, 3]);
  });

  it("is an image with words only when it is given some", () => {
    const { rerender, container } = render(<Sparkline points={[]} />);
    expect(container.querySelector("svg")).toHaveAttribute("aria-hidden", "true");
    rerender(<Sparkline points={[]} label="Share over seven days" />);
    expect(screen.getByRole("img", { name: "Share over seven days" })).toBeInTheDocument();
  });
});

describe("SlopeGlyph", () => {
  it("stands on a fixed 0 to 100% scale", () => {
    expect([slopeY(0), slopeY(0.5), slopeY(1)]).toEqual([29, 16, 3]);
  });

  it("draws two dots and the line between them in the colour given", () => {
    const { container } = render(<SlopeGlyph left={0.68} right={0.16} colour="var(--v-scatter)" />);
    expect([...container.querySelectorAll("circle")].map((dot) => dot.getAttribute("cy"))).toEqual(["11.3", "24.8"]);
    const path = container.querySelector<SVGPathElement>("path[d='M4 11.3L40 24.8']");
    expect(path?.style.stroke).toBe("var(--v-scatter)");
  });
});
