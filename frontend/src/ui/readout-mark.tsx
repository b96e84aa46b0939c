import type { ReactNode } from "react";

import type { ReadoutState } from "../api/types";
import { READOUTS } from "../lib/readouts";

const SHAPES: Readonly<Record<ReadoutState, ReactNode>> = {
  improved: <path className="f" d="M6 1.5 11 10.5H1z" strokeWidth="1" />,
  worse: <path className="f" d="M6 10.5 1 1.5h10z" strokeWidth="1" />,
  "no-detectable-change": <path d="M1.5 6h9M1.5 3.5v5M10.5 3.5v5" />,
  collecting: (
    <>
      <circle cx="6" cy="6" r="4.6" />
      <path className="f" d="M6 6V1.4A4.6 4.6 0 0 1 10.6 6z" stroke="none" />
    </>
  ),
  "traffic-changed": <path d="M1.5 4h8M7.5 1.8 9.8 4 7.5 6.2M10.5 8.5h-8M4.5 6.3 2.2 8.5l2.3 2.2" />,
  contaminated: (
    <>
      <circle cx="4.4" cy="6" r="3.3" />
      <circle cx="7.6" cy="6" r="3.3" />
    </>
  ),
  suspicious: <path d="M6 1.3 11.2 10.7H.8zM6 4.8v2.6M6 9.2v.01" />,
  "not-measurable": (
    <>
      <circle cx="6" cy="6" r="4.4" />
      <path d="M3 9 9 3" />
    </>
  ),
};

interface ReadoutMarkProps {
  state: ReadoutState;
  /** The API's word, where it came with the row. */
  word?: string;
}

/** Glyph, word and colour of what a readout says. */
export function ReadoutMark({ state, word }: ReadoutMarkProps) {
  const look = READOUTS[state];
  return (
    <span className={`st s-${look.tone}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        {SHAPES[state]}
      </svg>
      {word ?? look.word}
    </span>
  );
}
