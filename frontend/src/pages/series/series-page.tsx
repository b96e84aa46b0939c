import "./series.css";

import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

import { ApiError } from "../../api/errors";
import { seriesByPathQuery, type SeriesAddress } from "../../api/series-detail";
import { Failure } from "../../ui/failure";
import { usePageTitle } from "../../lib/use-page-title";

import { SeriesLoading } from "./series-loading";
import { SeriesView } from "./series-view";

/** One project and model: what was found, and everything it stands on. */
export function SeriesPage() {
  const { source = "", project = "", "*": model = "" } = useParams();
  const address = { source, project, model };
  const query = useQuery(seriesByPathQuery(address));
  const series = query.data;
  usePageTitle(series ? `${series.project_name} / ${series.model_name}` : "Series");
  if (series) return <SeriesView key={series.id} series={series} stale={query.isError ? query.error : null} retry={() => void query.refetch()} />;
  if (query.isPending) return <SeriesLoading address={address} />;
  if (query.error instanceof ApiError && query.error.status === 404) return <NoSuchSeries address={address} />;
  return (
    <>
      <h1>This series could not be read</h1>
      <Failure what="The server gave no figures" error={query.error} onRetry={() => void query.refetch()} />
    </>
  );
}

function NoSuchSeries({ address }: { address: SeriesAddress }) {
  return (
    <>
      <h1>There is no series at this address</h1>
      <p className="lede">
        Source <code>{address.source}</code> has no hours of project <code>{address.project}</code> and model{" "}
        <code>{address.model}</code>, or you cannot read that source. The <Link to="/">Overview</Link> lists the series that count, <Link to="/sources">Sources</Link> leads to those of each source.
      </p>
    </>
  );
}
