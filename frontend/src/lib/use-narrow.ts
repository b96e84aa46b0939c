import { useSyncExternalStore } from "react";

/** Pages below this width use their narrow drawing, as in the style sheets. */
const NARROW = "(max-width: 680px)";

/** Whether the page is narrow, followed as it changes; not where nothing can be asked. */
export function useNarrow(): boolean {
  return useSyncExternalStore(follow, () => asked()?.matches ?? false);
}

function follow(tell: () => void): () => void {
  const query = asked();
  query?.addEventListener("change", tell);
  return () => query?.removeEventListener("change", tell);
}

function asked(): MediaQueryList | null {
  return typeof window.matchMedia === "function" ? window.matchMedia(NARROW) : null;
}
