import { useState } from "react";

import { useMe } from "./use-me";

interface Draft<Value> {
  value: Value;
  /** Keeps it for as long as the tab is open, also when the page is left. */
  write: (value: Value) => void;
  /** Goes back to what it was at first; nothing is kept. */
  discard: () => void;
  /** Whether it was written before this page was opened. */
  restored: boolean;
}

/** Something half-written. It is kept in this tab, for this member, under `name`; `initial` stands while there is none. */
export function useDraft<Value>(name: string, initial: Value): Draft<Value> {
  const key = `cachewatch-draft ${useMe().email} ${name}`;
  const [kept] = useState(() => read(key) as Value | null);
  const [value, setValue] = useState(kept ?? initial);
  const write = (next: Value) => {
    setValue(next);
    keep(key, next);
  };
  const discard = () => {
    setValue(initial);
    keep(key, null);
  };
  return { value, write, discard, restored: kept !== null };
}

function read(key: string): unknown {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}

function keep(key: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage can be switched off or full; what is written then lasts as long as the page.
  }
}
