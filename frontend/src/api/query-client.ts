import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";

import { ApiError, shouldRetry } from "./errors";
import { meKey } from "./me";

/**
 * The cache of answers. Changes are sent also while the browser says it is offline, so that they fail in words
 * at once, not wait in silence. A 401 anywhere asks again who is signed in, which leads to the sign-in page.
 */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 401) return;
    if (client.getQueryState(meKey)?.status === "success") void client.invalidateQueries({ queryKey: meKey });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: shouldRetry, staleTime: 15_000 }, mutations: { retry: false, networkMode: "always" } },
  });
  return client;
}
