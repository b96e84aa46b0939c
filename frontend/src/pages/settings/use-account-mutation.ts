import { useMutation, useQueryClient } from "@tanstack/react-query";

import { membersQuery, tokensQuery } from "../../api/members";
import { announce } from "../../lib/announce";

/** A change to members or tokens; both lists are read again. A failure is announced unless the form shows it. */
export function useAccountMutation<Answer, Input = void>(change: (input: Input) => Promise<Answer>, done: string | null, shownInForm = false) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      if (done !== null) announce(done);
      void client.invalidateQueries({ queryKey: membersQuery.queryKey });
      void client.invalidateQueries({ queryKey: tokensQuery.queryKey });
    },
    onError: (error) => {
      if (!shownInForm) announce(error.message);
    },
  });
}
