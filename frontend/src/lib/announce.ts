/** One polite message at a time, shown at the foot of the page and read by screen readers. */

const SHOWN_MS = 4_000;

let message = "";
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(text: string): void {
  message = text;
  for (const listener of listeners) listener();
}

/** Shows and reads out a sentence for some seconds. */
export function announce(text: string): void {
  clearTimeout(timer);
  set(text);
  timer = setTimeout(() => set(""), SHOWN_MS);
}

export function announcedMessage(): string {
  return message;
}

export function onAnnouncement(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
