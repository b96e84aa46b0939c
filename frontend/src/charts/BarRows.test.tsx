import { render } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { BarRows, type BarLine } from "./BarRows";

const NAME_FOOT = 24; // of a row's name, from the top of the row

function linesOf(lines: readonly BarLine[]) {
  const bars = [{ place: 0, height: 1, filled: 0, crossed: false, ticked: false, title: "#1" }];
  const { container } = render(<BarRows rows={[{ name: "A", sub: "", bars }, { name: "B", sub: "", bars }]} lines={lines} count={40} width={800} ends={null} label="rows" />);
  return [...container.querySelectorAll("line.switch")].map((line) => [Number(line.getAttribute("y1")), Number(line.getAttribute("y2"))] as const);
}

describe("lines through rows of bars", () => {
  it("leave the names of the rows free where they have no words, since they may be as many as bars", () => {
    const stretches = linesOf([{ place: 1, label: "" }]);
    expect(stretches).toHaveLength(2);
    expect(stretches.every(([from]) => from > NAME_FOOT)).toBe(true);
    const [first, second] = stretches;
    expect(second![0] - first![1]).toBeGreaterThan(NAME_FOOT);
  });

  it("go through all rows where they are few and have words", () => {
    expect(linesOf([{ place: 1, label: "to account 2" }])).toHaveLength(1);
  });
});
