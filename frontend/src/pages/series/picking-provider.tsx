import { useMemo, useState, type ReactNode } from "react";

import { NOTHING_PICKED, PickingContext } from "./picked-hours";

/** Holds the picked hours, so that picking draws the charts again and not the whole page. */
export function PickingProvider({ children }: { children: ReactNode }) {
  const [picked, pick] = useState(NOTHING_PICKED);
  const picking = useMemo(() => ({ picked, pick }), [picked]);
  return <PickingContext value={picking}>{children}</PickingContext>;
}
