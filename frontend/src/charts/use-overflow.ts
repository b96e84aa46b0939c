import { useCallback, useRef, useState } from "react";

export interface Overflow {
  /** Whether the content is wider than its box; true where nothing can be measured. */
  overflows: boolean;
  /** Whether some of it lies beyond the left edge now. */
  before: boolean;
  /** Whether some of it lies beyond the right edge now. */
  beyond: boolean;
}

/** Subpixels that are no overflow. */
const SLACK = 1;
const UNMEASURED: Overflow = { overflows: true, before: false, beyond: false };

/** Which edges of a box hide something, followed as it is scrolled and as either changes its size. */
export function overflowOf({ scrollLeft, scrollWidth, clientWidth }: Pick<HTMLElement, "scrollLeft" | "scrollWidth" | "clientWidth">): Overflow {
  const hidden = scrollWidth - clientWidth;
  return { overflows: hidden > SLACK, before: hidden > SLACK && scrollLeft > SLACK, beyond: hidden - scrollLeft > SLACK };
}

/** The same of an element: give `box` to it as its ref. */
export function useOverflow(): Overflow & { box: (element: HTMLElement | null) => void } {
  const [overflow, setOverflow] = useState(UNMEASURED);
  const undo = useRef<(() => void) | null>(null);
  const box = useCallback((element: HTMLElement | null) => {
    undo.current?.();
    undo.current = element === null || typeof ResizeObserver === "undefined" ? null : follow(element, setOverflow);
  }, []);
  return { ...overflow, box };
}

function follow(element: HTMLElement, tell: (change: (known: Overflow) => Overflow) => void): () => void {
  const measure = () => {
    const now = overflowOf(element);
    tell((known) => (same(known, now) ? known : now));
  };
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  for (const child of element.children) observer.observe(child);
  element.addEventListener("scroll", measure, { passive: true });
  return () => {
    observer.disconnect();
    element.removeEventListener("scroll", measure);
  };
}

function same(a: Overflow, b: Overflow): boolean {
  return a.overflows === b.overflows && a.before === b.before && a.beyond === b.beyond;
}
