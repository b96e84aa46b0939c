import { useMutation, useQueryClient } from "@tanstack/react-query";

import { MARKERS_KEY } from "../../api/markers";
import { READOUTS_KEY } from "../../api/readouts";
import { PARTS_KEY } from "../../api/series-detail";
import { announce } from "../../lib/announce";

/** A change to markers: they are drawn at once, and what stands on them is asked for again. */
export function useMarkerChange<Answer, Input = void>(change: (input: Input) => Promise<Answer>, done: (answer: Answer) => string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (answer) => {
      announce(done(answer));
      void client.invalidateQueries({ queryKey: MARKERS_KEY });
      void client.invalidateQueries({ queryKey: READOUTS_KEY });
      void client.invalidateQueries({ queryKey: PARTS_KEY });
    },
  });
}
