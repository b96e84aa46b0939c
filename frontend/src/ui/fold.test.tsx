import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";

import { Fold } from "./fold";

const page = (narrow: boolean) => vi.stubGlobal("matchMedia", () => ({ matches: narrow, addEventListener: () => undefined, removeEventListener: () => undefined }));

afterEach(() => vi.unstubAllGlobals());

describe("a lesser part", () => {
  it("is simply there on a wide page", () => {
    page(false);
    render(<Fold what="the table">rows</Fold>);
    expect(screen.getByText("rows")).toBeVisible();
    expect(screen.getByText("Show the table")).not.toBeVisible();
  });

  it("stands behind a line that shows and hides it on a narrow one", async () => {
    page(true);
    render(<Fold what="the table"><p>rows</p></Fold>);
    expect(screen.getByText("rows")).not.toBeVisible();
    await userEvent.click(screen.getByText("Show the table"));
    expect(screen.getByText("rows")).toBeVisible();
    await userEvent.click(screen.getByText("Hide the table"));
    expect(screen.getByText("rows")).not.toBeVisible();
  });

  it("folds nothing that has no name", () => {
    page(true);
    render(<Fold what={undefined}>rows</Fold>);
    expect(screen.getByText("rows")).toBeVisible();
  });
});
