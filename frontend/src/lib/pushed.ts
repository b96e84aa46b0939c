const PUSHED_KINDS: readonly string[] = ["requests", "buckets"];

/** Why nothing is known of an hour of a source that is read. */
export const NOT_FETCHED = "not fetched";

/** Whether others send a source's numbers, so that nothing is read for it. */
export function isPushed({ kind }: { kind: string }): boolean {
  return PUSHED_KINDS.includes(kind);
}

/** Why nothing is known of a missing hour of a source. */
export function missingWords(source: { kind: string }): string {
  return isPushed(source) ? "nothing was pushed" : NOT_FETCHED;
}
