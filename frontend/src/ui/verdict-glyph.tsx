import type { ReactNode } from "react";

import type { VerdictCode } from "../api/types";

/** The shape of the data: cached share upwards, load to the right. */
const SHAPES: Readonly<Record<VerdictCode, ReactNode>> = {
  "load-correlated-misses": <path d="M2.5 3 15.5 11" />,
  "flat-low-share": <path d="M2.5 11h13" />,
  "cold-only-after-idle": (
    <>
      <path d="M2.5 3.5h4.2M11.3 3.5h4.2" />
      <circle cx="9" cy="11" r="1.4" fill="currentColor" strokeWidth="1" />
    </>
  ),
  "no-cached-tokens": (
    <>
      <path d="M2 12.5h14" strokeWidth="1.2" />
      <circle cx="9" cy="8" r="2.7" strokeWidth="1.7" />
    </>
  ),
  "share-rises-with-load": <path d="M2.5 11 15.5 3" />,
  healthy: <path d="M2.5 3.5h13" />,
  "load-does-not-vary": <path d="M9 2.5v.01M9 7v.01M9 11.5v.01" strokeWidth="2.6" />,
  "too-few-linked-hours": <path d="M4.5 9v.01M13 5v.01" strokeWidth="2.8" />,
  "mix-shift": <path d="M2.5 3.5h5.2M10.3 10.5h5.2" />,
  "level-shift-mid-window": <path d="M2.5 3.5H9v7.5h6.5" />,
  "sparse-traffic-retention": <path d="M3 11v.01M7 11v.01M11.5 9v.01M15.5 11v.01" strokeWidth="2.6" />,
  inconclusive: <path d="M6.6 4.3a2.5 2.5 0 1 1 3.6 2.3C9.4 7 9 7.5 9 8.4M9 12v.01" strokeWidth="1.8" />,
};

/** The drawing beside a verdict's word. */
export function VerdictGlyph({ code }: { code: VerdictCode }) {
  return (
    <span className="g">
      <svg viewBox="0 0 18 14" aria-hidden="true">
        {SHAPES[code]}
      </svg>
    </span>
  );
}
