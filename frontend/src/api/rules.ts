import { queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "./client";
import type { Rules } from "./types";

/** How verdicts are made. It changes with the version of the product only. */
export const rulesQuery = queryOptions({
  queryKey: ["rules"],
  queryFn: (): Promise<Rules> => unwrap(api.GET("/api/v1/rules")),
  staleTime: Infinity,
});
