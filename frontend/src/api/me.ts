import { queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "./client";
import type { Me } from "./types";

export const meKey = ["me"] as const;

/** Who is signed in, and what they may do; 401 when nobody is. */
export const meQuery = queryOptions({
  queryKey: meKey,
  queryFn: (): Promise<Me> => unwrap(api.GET("/api/v1/me")),
  staleTime: 60_000,
});

export interface MeChange {
  name?: string;
  shortcuts_on?: boolean;
  password?: string;
}

export function updateMe(body: MeChange): Promise<Me> {
  return unwrap(api.PATCH("/api/v1/me", { body }));
}
