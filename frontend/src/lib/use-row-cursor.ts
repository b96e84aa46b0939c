import { useEffect, useEffectEvent, useRef, useState, type RefObject } from "react";
import { useNavigate } from "react-router";

import { joinRows, openRow, stepRow } from "./row-lists";
import { useShortcut } from "./use-shortcut";

interface RowCursor<Body extends HTMLElement> {
  /** Goes on the element whose children are the rows. */
  bodyRef: RefObject<Body | null>;
  /** What the row with this index gets. */
  rowProps: (index: number) => { "aria-current"?: "true" };
}

/** A cursor over the rows of a page: j and k move it, Enter opens the row's page, handing `state` on, o opens it in a new tab. */
export function useRowCursor<Body extends HTMLElement = HTMLTableSectionElement>(paths: readonly string[], state?: unknown): RowCursor<Body> {
  const bodyRef = useRef<Body>(null);
  const navigate = useNavigate();
  const [wanted, setCursor] = useState<number | null>(null);
  const cursor = wanted !== null && wanted < paths.length ? wanted : null;

  const rows = useEffectEvent(() => ({ body: bodyRef.current, count: paths.length, cursor }));
  const open = useEffectEvent((row: number, where: "here" | "new tab") => {
    const path = paths[row];
    if (path === undefined) return;
    if (where === "here") void navigate(path, { state });
    else window.open(path, "_blank");
  });
  useEffect(() => joinRows({ now: () => rows(), set: setCursor, open: (row, where) => open(row, where) }), []);
  useEffect(() => {
    if (cursor !== null) bodyRef.current?.children[cursor]?.scrollIntoView({ block: "nearest" });
  }, [cursor]);
  useShortcut("j", "next row", () => stepRow(1));
  useShortcut("k", "previous row", () => stepRow(-1));
  // Listed from the start; before a row is chosen, Enter takes the first one.
  useShortcut("Enter", "open the current row", () => openRow("here"), paths.length > 0);
  useShortcut("o", "open the current row in a new tab", () => openRow("new tab"), paths.length > 0);

  return { bodyRef, rowProps: (index) => (index === cursor ? { "aria-current": "true" } : {}) };
}
