import { useMutation, useQueryClient } from "@tanstack/react-query";

import { ApiError } from "../../api/errors";
import { WORK_KEY } from "../../api/findings";
import { announce } from "../../lib/announce";

/**
 * A change to the work on a series. Everything about work is asked for again, also after a refusal because
 * somebody was faster, so that theirs is shown and `change` sees its version when it is sent anew. `answered` is told
 * what was saved before that.
 */
export function useWorkChange<Input, Answer>(change: (input: Input) => Promise<Answer>, done: (input: Input) => string, answered?: (answer: Answer, input: Input) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (answer, input) => {
      answered?.(answer, input);
      announce(done(input));
    },
    onSettled: (_answer, error) => {
      if (error === null || isConflict(error)) return client.invalidateQueries({ queryKey: WORK_KEY });
    },
  });
}

export type WorkChange<Input> = Pick<ReturnType<typeof useWorkChange<Input, unknown>>, "mutate" | "error" | "isPending" | "variables">;

/** Whether it was refused since somebody saved meanwhile. */
export function isConflict(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 409 && error.code === "conflict";
}
