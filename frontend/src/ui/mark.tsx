import type { ReactNode } from "react";

export type MarkKind = "okk" | "warn" | "bad" | "wait" | "out" | "open" | "fired" | "shut";

const SHAPES: Readonly<Record<MarkKind, ReactNode>> = {
  okk: <path d="M2 6.5 5 9.5 10 2.5" />,
  warn: <path d="M6 1.5v6M6 10.3v.01" />,
  bad: <path d="M2.5 2.5l7 7M9.5 2.5l-7 7" />,
  wait: <path d="M6 1.5a4.5 4.5 0 1 1-4.5 4.5" />,
  out: <path d="M2 6.5 5 9.5 10 2.5" />,
  open: <path d="M3.6 4a2.4 2.4 0 1 1 3.5 2.2C6.3 6.6 6 7 6 7.8M6 10.5v.01" />,
  fired: <path d="M2 6h7.5M6 2l4 4-4 4" />,
  shut: <path d="M2.5 6h7" />,
};

/** A small sign with words: fine, doubtful, failed, under way; of a cause: ruled out, open, shown, not testable. */
export function Mark({ kind, children }: { kind: MarkKind; children: ReactNode }) {
  return (
    <span className={`mark ${kind}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        {SHAPES[kind]}
      </svg>
      <span>{children}</span>
    </span>
  );
}
