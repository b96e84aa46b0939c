import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

import type { Run } from "../../api/types";
import { announce } from "../../lib/announce";

import { runHeading } from "./run-words";

/** Says when a run that was seen running has ended, and reads again what it may have changed. */
export function useRunNews(runs: readonly Run[] | undefined): void {
  const client = useQueryClient();
  const running = useRef(new Set<number>());
  useEffect(() => {
    for (const run of runs ?? []) {
      if (run.status === "running") running.current.add(run.id);
      else if (running.current.delete(run.id)) {
        announce(runHeading(run));
        void client.invalidateQueries();
      }
    }
  }, [client, runs]);
}
