import { useEffect, useEffectEvent } from "react";

import { registerShortcut } from "./shortcuts";

/** Registers a shortcut while the component is shown and `on` is true. */
export function useShortcut(keys: string, label: string, run: () => void, on = true): void {
  const latest = useEffectEvent(run);
  useEffect(() => {
    if (!on) return;
    return registerShortcut({ keys, label, run: () => latest() });
  }, [keys, label, on]);
}
