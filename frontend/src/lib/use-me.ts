import { useQuery } from "@tanstack/react-query";

import { meQuery } from "../api/me";
import type { Me } from "../api/types";

/** Who is signed in. Only below the session gate, which waits for the answer. */
export function useMe(): Me {
  const { data } = useQuery(meQuery);
  if (!data) throw new Error("useMe() is used outside the session gate");
  return data;
}
