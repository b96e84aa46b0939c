import type { VerdictCode } from "../api/types";

/** The colour family of a verdict: the tokens --v-<tone> and --v-<tone>-bg. */
export type VerdictTone = "scatter" | "flat" | "cold" | "zero" | "rises" | "ok" | "none";

interface VerdictLook {
  word: string;
  tone: VerdictTone;
}

/** Every verdict in the order of the legend. The words are the API's own; the legend needs them without rows. */
export const VERDICTS: Readonly<Record<VerdictCode, VerdictLook>> = {
  "load-correlated-misses": { word: "Misses rise with load", tone: "scatter" },
  "flat-low-share": { word: "Flat low share", tone: "flat" },
  "cold-only-after-idle": { word: "Cold only after idle", tone: "cold" },
  "sparse-traffic-retention": { word: "Too sparse for the retention", tone: "cold" },
  "no-cached-tokens": { word: "No cached tokens", tone: "zero" },
  "mix-shift": { word: "Traffic mix changes with load", tone: "none" },
  "level-shift-mid-window": { word: "Level shifted in the window", tone: "none" },
  inconclusive: { word: "Cannot tell", tone: "none" },
  "share-rises-with-load": { word: "Share rises with load", tone: "rises" },
  healthy: { word: "No finding", tone: "ok" },
  "load-does-not-vary": { word: "Load does not vary", tone: "none" },
  "too-few-linked-hours": { word: "Too few linked hours", tone: "none" },
};

export const VERDICT_CODES = Object.keys(VERDICTS) as VerdictCode[];

export function isVerdictCode(text: string): text is VerdictCode {
  return Object.hasOwn(VERDICTS, text);
}

/** The CSS colour of a verdict, as a variable. */
export function verdictColour(code: VerdictCode): string {
  return `var(--v-${VERDICTS[code].tone})`;
}
