import { useEffect, useRef, useState, type RefObject } from "react";
import { useNavigate } from "react-router";

import { useShortcut } from "./use-shortcut";

interface RowCursor {
  /** Goes on the tbody whose rows the cursor walks. */
  bodyRef: RefObject<HTMLTableSectionElement | null>;
  /** What the row with this index gets. */
  rowProps: (index: number) => { "aria-current"?: "true" };
}

/** A cursor over table rows: j and k move it, Enter opens the row's page, handing `state` on, o opens it in a new tab. */
export function useRowCursor(paths: readonly string[], state?: unknown): RowCursor {
  const bodyRef = useRef<HTMLTableSectionElement>(null);
  const navigate = useNavigate();
  const [wanted, setCursor] = useState<number | null>(null);
  const cursor = wanted !== null && wanted < paths.length ? wanted : null;
  const path = cursor === null ? undefined : paths[cursor];

  const step = (by: number) => {
    if (paths.length === 0) return;
    setCursor(cursor === null ? 0 : Math.min(Math.max(cursor + by, 0), paths.length - 1));
  };
  useEffect(() => {
    if (cursor !== null) bodyRef.current?.rows[cursor]?.scrollIntoView({ block: "nearest" });
  }, [cursor]);
  useShortcut("j", "next row", () => step(1));
  useShortcut("k", "previous row", () => step(-1));
  // Listed from the start; before a row is chosen, Enter takes the first one.
  const target = path ?? paths[0];
  useShortcut("Enter", "open the current row", () => target && void navigate(target, { state }), target !== undefined);
  useShortcut("o", "open the current row in a new tab", () => window.open(target, "_blank"), target !== undefined);

  return { bodyRef, rowProps: (index) => (index === cursor ? { "aria-current": "true" } : {}) };
}
