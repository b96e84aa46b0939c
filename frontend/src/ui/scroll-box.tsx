import type { ReactNode } from "react";

/** A wide table's box: it scrolls by itself, also by keyboard, so that the page never does. */
export function ScrollBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="scroll" role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
