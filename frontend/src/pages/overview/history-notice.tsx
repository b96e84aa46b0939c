import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { backfillQuery, sourcesQuery } from "../../api/sources";
import type { Overview, Source } from "../../api/types";
import { Notice } from "../../ui/notice";
import { isPushed } from "../../lib/pushed";

/** While weeks of history are still on their way: what is counted and since when may change with them. */
export function HistoryNotice({ overview }: { overview: Overview }) {
  const sources = useQuery(sourcesQuery).data?.items ?? [];
  const read = sources.filter((source) => !source.paused && !isPushed(source) && overview.sources.some(({ slug }) => slug === source.slug));
  const answers = useQueries({ queries: read.map(({ slug }) => backfillQuery(slug)) });
  const reading = read.flatMap((source, index) => {
    const backfill = answers[index]?.data;
    return backfill?.running ? [{ source, said: backfill.sentence }] : [];
  });
  if (reading.length === 0) return null;
  return (
    <Notice>
      History is still being read, so counts, verdicts and when they began may change:{" "}
      {reading.map(({ source, said }, index) => (
        <span key={source.slug}>{index > 0 && "; "}<SourceLink source={source} />: {said}</span>
      ))}
    </Notice>
  );
}

function SourceLink({ source: { slug, name } }: { source: Source }) {
  return <Link className="inline" to={`/sources?source=${encodeURIComponent(slug)}`}>{name}</Link>;
}
