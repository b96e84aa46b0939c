import { useMutation, useQueryClient } from "@tanstack/react-query";

import { announce } from "../../lib/announce";

/** A change to a source. Nearly every answer depends on sources, so afterwards all are read again. */
export function useSourceMutation<Answer, Input = void>(change: (input: Input) => Promise<Answer>, done: (answer: Answer) => string | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (answer) => {
      const sentence = done(answer);
      if (sentence !== null) announce(sentence);
      void client.invalidateQueries();
    },
  });
}
