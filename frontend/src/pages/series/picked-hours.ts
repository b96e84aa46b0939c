import { createContext, use } from "react";

/** The hours under the pointer or the cursor, shown in every chart of the page. */
export interface PickedHours {
  times: ReadonlySet<number>;
  /** The chart they were picked in, which shows their numbers; null when none are picked. */
  chart: string | null;
  words: string;
}

export const NOTHING_PICKED: PickedHours = { times: new Set(), chart: null, words: "" };

interface Picking {
  picked: PickedHours;
  pick: (picked: PickedHours) => void;
}

export const PickingContext = createContext<Picking>({ picked: NOTHING_PICKED, pick: () => undefined });

/** What one chart of the page needs: the picked hours, and how it picks hours itself. */
export function usePicking(chart: string) {
  const { picked, pick } = use(PickingContext);
  const isPicked = (times: readonly number[]) =>
    picked.chart === chart && picked.times.size === times.length && times.every((time) => picked.times.has(time));
  return {
    times: picked.times,
    words: picked.chart === chart ? picked.words : null,
    pick: (times: readonly number[], words: string) => {
      if (times.length === 0) pick(NOTHING_PICKED);
      else if (!isPicked(times)) pick({ times: new Set(times), chart, words });
    },
  };
}
