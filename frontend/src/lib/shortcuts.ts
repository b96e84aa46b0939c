/** Keyboard shortcuts: one registry, one listener. A sequence is written with a space: "g o". */

export interface Shortcut {
  keys: string;
  label: string;
  run: () => void;
}

const SEQUENCE_MS = 1_200;

let registered: readonly Shortcut[] = [];
let pending: { key: string; at: number } | null = null;

/** Adds a shortcut; a later one with the same keys goes first. Returns how to take it away. */
export function registerShortcut(shortcut: Shortcut): () => void {
  registered = [...registered, shortcut];
  return () => {
    registered = registered.filter((other) => other !== shortcut);
  };
}

/** What can be pressed on this page now, each keys once, in the order of registration. */
export function activeShortcuts(): Shortcut[] {
  return [...new Map(registered.map((shortcut) => [shortcut.keys, shortcut])).values()];
}

function find(keys: string): Shortcut | undefined {
  return registered.findLast((shortcut) => shortcut.keys === keys);
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select");
}

function takesEnter(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("a, button, summary, input, [role=button]");
}

function isOurs(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === "Escape") return true;
  if (event.key === "Enter" && takesEnter(event.target)) return false;
  return !isField(event.target) && document.querySelector("dialog[open]") === null;
}

/** Runs the shortcut of a key press, if it is one. `at` is milliseconds, for sequences. */
export function pressKey(event: KeyboardEvent, at: number): void {
  if (!isOurs(event)) return;
  const begun = pending && at - pending.at < SEQUENCE_MS ? pending.key : null;
  pending = null;
  const shortcut = (begun !== null && find(`${begun} ${event.key}`)) || find(event.key);
  if (shortcut) {
    event.preventDefault();
    shortcut.run();
  } else if (registered.some(({ keys }) => keys.startsWith(`${event.key} `))) {
    pending = { key: event.key, at };
  }
}
