interface Labelled {
  x1: number;
  x2: number;
  word: string;
  strong: boolean;
}

const LETTER = 6.1;
const STRONG_LETTER = 6.7;
const BETWEEN = 8;

/**
 * Runs whose word has room above their bar, each with its x; the last run, the one that holds, always has one.
 * `atEnd` sets its word at the right end, where a strip that scrolls is seen first.
 */
export function labelledRuns<Run extends Labelled>(runs: readonly Run[], width: number, atEnd = false): (Run & { x: number })[] {
  const last = runs.at(-1);
  if (!last) return [];
  const end = width - wordWidth(last);
  const lastX = Math.max(0, atEnd ? end : Math.min(last.x1, end));
  const before = runs.slice(0, -1).filter((run) => {
    const end = run.x1 + wordWidth(run);
    return end <= run.x2 && end + BETWEEN <= lastX;
  });
  return [...before.map((run) => ({ ...run, x: run.x1 })), { ...last, x: lastX }];
}

function wordWidth(run: Labelled): number {
  return run.word.length * (run.strong ? STRONG_LETTER : LETTER);
}
