import "./key-plan.css";

import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearchParams } from "react-router";

import { ApiError } from "../../api/errors";
import { keyPlanQuery } from "../../api/key-plan";
import { seriesByPathQuery } from "../../api/series-detail";
import type { SeriesDetail } from "../../api/types";
import { Failure } from "../../ui/failure";
import { Notice } from "../../ui/notice";
import { RuleRows } from "../../ui/rule-rows";
import { SourceName } from "../../ui/source-name";
import { readAssumptions } from "../../lib/key-plan";
import { usePageTitle } from "../../lib/use-page-title";

import { KeyPlanView } from "./key-plan-view";

/** Which prompt_cache_key a series is to send, if any. */
export function KeyPlanPage() {
  const { source = "", project = "", "*": model = "" } = useParams();
  const query = useQuery(seriesByPathQuery({ source, project, model }));
  const series = query.data;
  usePageTitle(series ? `Key plan: ${series.project_name} / ${series.model_name}` : "Key plan");
  if (series) return <OfSeries key={series.id} series={series} />;
  if (query.isPending) return <><h1>Key plan</h1><RuleRows what="the key plan" /></>;
  if (query.error instanceof ApiError && query.error.status === 404) return <NoSuchSeries source={source} />;
  return (
    <>
      <h1>This series could not be read</h1>
      <Failure what="The server gave no figures" error={query.error} onRetry={() => void query.refetch()} />
    </>
  );
}

function OfSeries({ series }: { series: SeriesDetail }) {
  const [search] = useSearchParams();
  const { given, notices } = readAssumptions(search);
  const query = useQuery(keyPlanQuery(series.id, given));
  const plan = query.data;
  return (
    <>
      <nav className="crumb" aria-label="Where this is">
        <Link to="/">Overview</Link>
        <span>/</span>
        <SourceName source={series.source} />
        <span>/</span>
        <Link to={series.path}>{`${series.project_name} / ${series.model_name}`}</Link>
        <span>/</span>
        <span>Key plan</span>
      </nav>
      {notices.map((notice) => <Notice key={notice}>{notice}</Notice>)}
      {plan && <KeyPlanView plan={plan} given={given} stale={query.isPlaceholderData} />}
      {!plan && <h1>Key plan</h1>}
      {query.isPending && <RuleRows what="the key plan" />}
      {query.isError && <Failure what={plan ? "The plan could not be read again; what stands above is older" : "The plan could not be read"} error={query.error} onRetry={() => void query.refetch()} />}
    </>
  );
}

function NoSuchSeries({ source }: { source: string }) {
  return (
    <>
      <h1>There is no series at this address</h1>
      <p className="lede">
        Source <code>{source}</code> has no such project and model, or you cannot read that source. The <Link to="/">Overview</Link> lists the series that count, <Link to="/sources">Sources</Link> leads to those of each source.
      </p>
    </>
  );
}
