import type { ReactNode } from "react";

import { useOverflow } from "../charts/use-overflow";

interface ScrollBoxProps {
  /** Names the region, for whoever tabs to it. */
  label: string;
  className?: string;
  /** What is in it belongs to an older question. */
  busy?: boolean;
  children: ReactNode;
}

/**
 * A wide table's box: it scrolls by itself, also by keyboard, so that the page never does. While more lies beyond an
 * edge, that edge is shaded and a line says so; a box whose content fits is no stop of the Tab key.
 */
export function ScrollBox({ label, className, busy, children }: ScrollBoxProps) {
  const { box, overflows, before, beyond } = useOverflow();
  const edges = ["scrollwrap", before && "before", beyond && "beyond"].filter(Boolean).join(" ");
  return (
    <div className={edges}>
      {(before || beyond) && <p className="scrollhint" aria-hidden="true">Scroll sideways for the rest</p>}
      <div ref={box} className={className === undefined ? "scroll" : `scroll ${className}`} aria-busy={busy} {...(overflows ? { role: "region", "aria-label": label, tabIndex: 0 } : {})}>
        {children}
      </div>
    </div>
  );
}
