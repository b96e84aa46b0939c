import type { ReactNode } from "react";

/** The table behind a chart: its caption names it, its head stays in view, and it scrolls by itself, also by keyboard. */
export function TableBox({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <div className="tablebox" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        {children}
      </table>
    </div>
  );
}
