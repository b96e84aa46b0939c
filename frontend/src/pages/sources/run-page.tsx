import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

import { ApiError } from "../../api/errors";
import { runQuery } from "../../api/runs";
import type { Run } from "../../api/types";
import { Fact } from "../../ui/fact";
import { Failure } from "../../ui/failure";
import { Mark } from "../../ui/mark";
import { RuleRows } from "../../ui/rule-rows";
import { Section } from "../../ui/section";
import { formatSeconds } from "../../lib/format";
import { formatHour } from "../../lib/time";
import { usePageTitle } from "../../lib/use-page-title";
import { NotFoundPage } from "../not-found-page";

import { isOfPushes, runCounts, runHeading, runResult, runWindow, startedLabel } from "./run-words";

/** One walk over the usage API: what was asked, what came, what changed. */
export function RunPage() {
  const id = Number(useParams().id);
  return Number.isSafeInteger(id) && id > 0 ? <RunById id={id} /> : <NotFoundPage />;
}

function RunById({ id }: { id: number }) {
  usePageTitle(`Run ${id}`);
  const query = useQuery(runQuery(id));
  const missing = query.error instanceof ApiError && query.error.status === 404;
  return (
    <>
      <p className="crumb">
        <Link to={query.data ? `/sources?source=${encodeURIComponent(query.data.source)}` : "/sources"}>Sources</Link>
        <span>/</span>
        <span>Run {id}</span>
      </p>
      {query.isPending && <Loading />}
      {query.isLoadingError && (
        <>
          <h1>{missing ? `There is no run ${id}` : "The run could not be read"}</h1>
          <Failure what={missing ? "It was removed, or never existed" : "The server gave no answer to show"} error={query.error} onRetry={() => void query.refetch()} />
        </>
      )}
      {query.data && <Loaded run={query.data} />}
    </>
  );
}

function Loading() {
  return (
    <>
      <h1>Ingest run</h1>
      <RuleRows what="the run" />
    </>
  );
}

function Loaded({ run }: { run: Run }) {
  const { kind, words } = runResult(run);
  return (
    <>
      <h1>{runHeading(run)}</h1>
      {run.error && <p className="lede">{run.error}</p>}
      <Section title="What was asked and what came">
        <dl className="kv facts">
          <Fact name="Result">
            <Mark kind={kind}>{words}</Mark>
            {run.error_code && <span className="sub mono">{run.error_code}</span>}
          </Fact>
          <Fact name="Window">{runWindow(run)} UTC</Fact>
          <Fact name={startedLabel(isOfPushes(run))}>{formatHour(run.started_at)} UTC</Fact>
          <Fact name="Took">{formatSeconds(run.seconds)}</Fact>
          {runCounts(run, isOfPushes(run)).map(({ label, text }) => (
            <Fact key={label} name={label}>
              {text}
            </Fact>
          ))}
        </dl>
      </Section>
      <Notices notices={run.notices} />
    </>
  );
}

function Notices({ notices }: { notices: readonly string[] }) {
  if (notices.length === 0) return null;
  return (
    <Section title="What the run noticed">
      <ul className="notices">
        {notices.map((notice) => (
          <li key={notice}>{notice}</li>
        ))}
      </ul>
    </Section>
  );
}
