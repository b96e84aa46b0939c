import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";

import { freshnessQuery } from "../../api/overview";
import { sourcesQuery } from "../../api/sources";
import type { Source } from "../../api/types";
import { FigureStrip } from "../../ui/figure-strip";
import { Notice } from "../../ui/notice";
import { Region } from "../../ui/region";
import { formatCount } from "../../lib/format";
import { freshnessSentence } from "../../lib/freshness";
import { isPushed } from "../../lib/pushed";
import { useMe } from "../../lib/use-me";
import { useNow } from "../../lib/use-now";
import { usePageTitle } from "../../lib/use-page-title";

import { BackfillPart } from "./backfill";
import { ConnectionPart } from "./connection";
import { CoveragePart } from "./coverage";
import { sourceFigures } from "./figures";
import { FirstRun } from "./first-run";
import { PartLink } from "./part-link";
import { PushConnection } from "./push-connection";
import { sourceLede } from "./push-words";
import { RejectsPart } from "./rejects";
import { RevisionsPart } from "./revisions";
import { RunsPart } from "./runs";

/** Where the data comes from, how far it reaches and what went wrong on the way. */
export function SourcesPage() {
  usePageTitle("Sources");
  const query = useQuery(sourcesQuery);
  const loaded = query.data !== undefined;
  return (
    <>
      {!loaded && <h1>{query.isError ? "Sources could not be read" : "Sources"}</h1>}
      <Region query={query} what="the sources">
        {({ items }) => (items.length === 0 ? <FirstRun /> : <Loaded sources={items} />)}
      </Region>
    </>
  );
}

function Loaded({ sources }: { sources: readonly Source[] }) {
  const asked = useSearchParams()[0].get("source");
  const source = sources.find(({ slug }) => slug === asked) ?? sources.find(({ paused }) => !paused) ?? sources[0];
  if (!source) return null;
  const unknown = asked !== null && source.slug !== asked;
  return (
    <>
      <Head sources={sources} source={source} />
      {unknown && <Notice>There is no source {asked}; this is {source.name}.</Notice>}
      <OneSource key={source.slug} source={source} />
    </>
  );
}

function Head({ sources, source }: { sources: readonly Source[]; source: Source }) {
  const { data: freshness } = useQuery(freshnessQuery);
  const { can } = useMe();
  const now = useNow();
  return (
    <>
      <p className="crumb">
        <span>{source.name}</span>
        <span>/</span>
        <span>Sources</span>
        {can.add_source && (
          <span className="end">
            <Link to="/sources/new">Connect another source</Link>
          </span>
        )}
      </p>
      <h1>{freshness ? freshnessSentence(freshness, now) : "Sources"}</h1>
      <p className="lede">
        {sourceLede(source)} {source.series_count > 0 && <Link to={`/?source=${encodeURIComponent(source.slug)}`}>{seriesWords(source)}</Link>}
      </p>
      {sources.length > 1 && <SourceTabs sources={sources} source={source} />}
    </>
  );
}

function seriesWords({ series_count: series }: Source): string {
  return series === 1 ? "Its one series" : `All ${formatCount(series)} series of it`;
}

/** The tables of another source are shown from their first row. */
const FIRST_ROWS = { run: null, revision: null, reject: null };

function SourceTabs({ sources, source }: { sources: readonly Source[]; source: Source }) {
  return (
    <nav className="tabs" aria-label="Source">
      {sources.map(({ slug, name, paused }) => (
        <PartLink key={slug} set={{ ...FIRST_ROWS, source: slug }} current={slug === source.slug}>
          {name}
          {paused && " (paused)"}
        </PartLink>
      ))}
    </nav>
  );
}

function OneSource({ source }: { source: Source }) {
  const now = useNow();
  // No hour is missing of a source that nobody has pushed to yet.
  const waits = isPushed(source) && source.last_run === null;
  return (
    <>
      <FigureStrip figures={sourceFigures(source, now)} />
      {!waits && <CoveragePart slug={source.slug} />}
      {isPushed(source) ? (
        <PushConnection source={source} />
      ) : (
        <div className="half sec connbar">
          <ConnectionPart source={source} />
          <BackfillPart source={source} />
        </div>
      )}
      <RunsPart slug={source.slug} />
      <RevisionsPart source={source} />
      {!isPushed(source) && <RejectsPart slug={source.slug} />}
    </>
  );
}
