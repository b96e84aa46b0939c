import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";

import { VERDICT_CODES, VERDICTS } from "../lib/verdicts";

import { VerdictChip } from "./verdict-chip";

it("gives each of the twelve verdicts its own word and its own glyph", () => {
  const { container } = render(VERDICT_CODES.map((code) => <VerdictChip key={code} code={code} />));
  const glyphs = [...container.querySelectorAll("svg")].map((svg) => svg.innerHTML);
  expect(new Set(glyphs).size).toBe(12);
  expect(new Set(VERDICT_CODES.map((code) => VERDICTS[code].word)).size).toBe(12);
});

it("says No finding, never healthy, and prefers the API's word", () => {
  render(<VerdictChip code="healthy" />);
  expect(screen.getByText("No finding")).toBeVisible();
  render(<VerdictChip code="healthy" word="No finding at all" />);
  expect(screen.getByText("No finding at all")).toBeVisible();
});
