import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";

import { runsQuery } from "../../api/runs";
import { offsetOf, Pager } from "../../ui/pager";
import { Region } from "../../ui/region";
import { Section } from "../../ui/section";
import { formatCount } from "../../lib/format";

import { PartLink } from "./part-link";
import { RunTable } from "./run-table";
import { useRunNews } from "./use-run-news";

const FEW = 8;
const MANY = 50;

/** The ingest runs of a source: the last few, all, or only those with a problem. */
export function RunsPart({ slug }: { slug: string }) {
  const [params] = useSearchParams();
  const choice = params.get("runs");
  const onlyProblems = choice === "failed";
  const limit = onlyProblems || choice === "all" ? MANY : FEW;
  const offset = limit === MANY ? offsetOf(params, "run") : 0;
  const query = useQuery(runsQuery({ source: [slug], limit, offset, problems: onlyProblems || undefined }));
  useRunNews(query.data?.items);
  const problems = useQuery(runsQuery({ source: [slug], limit: 1, problems: true })).data?.total;
  return (
    <Section
      title={onlyProblems ? "Ingest runs with a problem" : "Ingest runs"}
      how={query.data && howMany(query.data.total, query.data.items.length)}
      acts={
        <>
          <PartLink set={{ runs: onlyProblems ? null : "failed", run: null }} current={onlyProblems}>
            Only problems{problems === undefined ? "" : ` (${formatCount(problems)})`}
          </PartLink>
          <PartLink set={{ runs: choice === "all" ? null : "all", run: null }} current={choice === "all"}>
            All runs
          </PartLink>
          <a href={`/sources.csv?source=${encodeURIComponent(slug)}`}>CSV</a>
        </>
      }
    >
      <Region query={query} what="the runs">
        {(page) => (
          <>
            <RunTable runs={page.items} onlyProblems={onlyProblems} />
            {limit === MANY && <Pager name="run" offset={offset} limit={limit} total={page.total} />}
          </>
        )}
      </Region>
    </Section>
  );
}

function howMany(total: number, shown: number): string {
  return shown < total ? `last ${formatCount(shown)} of ${formatCount(total)}` : formatCount(total);
}
