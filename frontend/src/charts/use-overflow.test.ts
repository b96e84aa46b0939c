import { describe, expect, it } from "vitest";

import { overflowOf } from "./use-overflow";

const box = (scrollLeft: number, scrollWidth = 500) => overflowOf({ scrollLeft, scrollWidth, clientWidth: 300 });

describe("overflowOf", () => {
  it("says which edges hide something, from the one end to the other", () => {
    expect(box(0)).toEqual({ overflows: true, before: false, beyond: true });
    expect(box(80)).toEqual({ overflows: true, before: true, beyond: true });
    expect(box(200)).toEqual({ overflows: true, before: true, beyond: false });
  });

  it("takes a box whose content fits, also but for part of a pixel, for one that does not scroll", () => {
    expect(box(0, 300)).toEqual({ overflows: false, before: false, beyond: false });
    expect(box(0, 301)).toEqual({ overflows: false, before: false, beyond: false });
  });
});
