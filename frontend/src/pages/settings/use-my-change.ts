import { useMutation, useQueryClient } from "@tanstack/react-query";

import { meQuery, updateMe, type MeChange } from "../../api/me";
import { announce } from "../../lib/announce";

/** A change to one's own account; the answer is the new state. */
export function useMyChange(done: string, onDone?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: MeChange) => updateMe(change),
    onSuccess: (me) => {
      client.setQueryData(meQuery.queryKey, me);
      announce(done);
      onDone?.();
    },
  });
}
