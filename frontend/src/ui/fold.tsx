import { useState, type ReactNode } from "react";

import { useNarrow } from "../lib/use-narrow";

interface FoldProps {
  /** What "Show ..." shows; undefined: nothing is folded. */
  what: string | undefined;
  children: ReactNode;
}

/** A lesser part: on a narrow page it stands behind a line that shows it, on a wide one it is simply there. */
export function Fold({ what, children }: FoldProps) {
  return what === undefined ? children : <Folded what={what}>{children}</Folded>;
}

function Folded({ what, children }: { what: string; children: ReactNode }) {
  const narrow = useNarrow();
  const [shown, setShown] = useState(false);
  return (
    <details className="fold" open={!narrow || shown} onToggle={({ currentTarget }) => narrow && setShown(currentTarget.open)}>
      <summary hidden={!narrow}>{`${shown ? "Hide" : "Show"} ${what}`}</summary>
      {children}
    </details>
  );
}
