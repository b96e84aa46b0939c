import type { ReactNode } from "react";

export type MarkKind = "okk" | "warn" | "bad" | "wait";

const SHAPES: Readonly<Record<MarkKind, ReactNode>> = {
  okk: <path d="M2 6.5 5 9.5 10 2.5" />,
  warn: <path d="M6 1.5v6M6 10.3v.01" />,
  bad: <path d="M2.5 2.5l7 7M9.5 2.5l-7 7" />,
  wait: <path d="M6 1.5a4.5 4.5 0 1 1-4.5 4.5" />,
};

/** A small sign with words: fine, doubtful, failed, under way. */
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
