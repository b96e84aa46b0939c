import { useCallback, useRef, useState } from "react";

/** Width drawn before the first measurement, and where nothing can be measured. */
export const DESIGN_WIDTH = 992;

/** Charts narrower than this use their narrow drawing: a page of 680 pixels, less its gutters. */
export const NARROW_BELOW = 648;

/** The width of an element in whole pixels, followed as it changes: give `box` to the element as its ref. */
export function useChartWidth(): { width: number; narrow: boolean; box: (element: HTMLElement | null) => void } {
  const [width, setWidth] = useState(DESIGN_WIDTH);
  const observer = useRef<ResizeObserver | null>(null);
  const box = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (element === null || typeof ResizeObserver === "undefined") return;
    observer.current = new ResizeObserver(([entry]) => {
      const measured = Math.floor(entry?.contentRect.width ?? 0);
      if (measured > 0) setWidth(measured);
    });
    observer.current.observe(element);
  }, []);
  return { width, narrow: width < NARROW_BELOW, box };
}
