import { useQuery } from "@tanstack/react-query";
import { Link, Navigate } from "react-router";

import { overviewQuery } from "../../api/overview";
import { sourcesQuery } from "../../api/sources";
import type { Overview } from "../../api/types";
import { Failure } from "../../ui/failure";
import { FigureStrip } from "../../ui/figure-strip";
import { RuleRows } from "../../ui/rule-rows";
import { plural } from "../../lib/format";
import { formatHour } from "../../lib/time";
import { usePageTitle } from "../../lib/use-page-title";

import { AttentionPart } from "./attention-part";
import { overviewFigures } from "./figures";
import { HistoryNotice } from "./history-notice";
import { SeriesPart } from "./series-part";

/** The week in one sentence, its figures, and one row for each project and model. */
export function OverviewPage() {
  usePageTitle("Overview");
  const query = useQuery(overviewQuery);
  if (query.isPending) return <Loading />;
  if (query.isLoadingError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  if (!query.data.has_source) return <Navigate to="/sources" replace state={{ from: "overview" }} />;
  return <Loaded overview={query.data} />;
}

function Loaded({ overview }: { overview: Overview }) {
  return (
    <>
      <p className="crumb">
        <span>{overview.sources.map(({ name }) => name).join(", ")}</span>
        <span>{windowText(overview)}</span>
        <NotCounted overview={overview} />
      </p>
      <h1>{overview.headline}</h1>
      <HistoryNotice overview={overview} />
      <FigureStrip figures={overviewFigures(overview)} />
      <AttentionPart overview={overview} />
      <SeriesPart overview={overview} />
    </>
  );
}

/** Sources that are paused, such as the demo beside a real one: nothing of them is in a number of this page. */
function NotCounted({ overview }: { overview: Overview }) {
  const sources = useQuery(sourcesQuery).data?.items ?? [];
  const left = sources.filter(({ slug, paused }) => paused && !overview.sources.some((counted) => counted.slug === slug));
  if (left.length === 0) return null;
  return (
    <span>
      Paused, so not counted here:{" "}
      {left.map(({ slug, name }, index) => <span key={slug}>{index > 0 && ", "}<Link className="inline" to={`/sources?source=${encodeURIComponent(slug)}`}>{name}</Link></span>)}
    </span>
  );
}

function windowText({ window }: Overview): string {
  if (window === null) return "no verdict yet";
  return `${formatHour(window.start)} to ${formatHour(window.end)} UTC, ${plural(window.hours, "complete hour")}`;
}

function Loading() {
  return (
    <>
      <h1>Overview</h1>
      <RuleRows what="the overview" />
    </>
  );
}

function Failed({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <>
      <h1>The overview could not be read</h1>
      <Failure what="The server gave no figures" error={error} onRetry={retry} />
    </>
  );
}
