import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { Failure } from "./failure";
import { RuleRows } from "./rule-rows";

interface RegionProps<Answer> {
  query: UseQueryResult<Answer>;
  /** The noun of "Loading the runs" and "The runs could not be read". */
  what: string;
  rows?: number;
  children: (answer: Answer) => ReactNode;
}

/** One part of a page that lives on one answer: rules while loading, words on failure, old rows kept. */
export function Region<Answer>({ query, what, rows = 8, children }: RegionProps<Answer>) {
  const retry = () => void query.refetch();
  const failed = `${what.charAt(0).toUpperCase()}${what.slice(1)} could not be read`;
  if (query.data === undefined) {
    return query.isError ? <Failure what={failed} error={query.error} onRetry={retry} /> : <RuleRows what={what} rows={rows} />;
  }
  return (
    <>
      {query.isError && <Failure what={`${failed} again; what stands below is older`} error={query.error} onRetry={retry} />}
      {children(query.data)}
    </>
  );
}
