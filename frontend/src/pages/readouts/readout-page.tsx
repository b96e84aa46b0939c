import "./readouts.css";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link, useParams } from "react-router";

import { ApiError } from "../../api/errors";
import { readoutQuery } from "../../api/readouts";
import type { ReadoutDetail, ReadoutNumbers } from "../../api/types";
import { Failure } from "../../ui/failure";
import { RuleRows } from "../../ui/rule-rows";
import { announce } from "../../lib/announce";
import { asHeading } from "../../lib/readouts";
import { usePageTitle } from "../../lib/use-page-title";

import { AllReadouts } from "./all-readouts";
import { CheckTable } from "./check-table";
import { Collecting } from "./collecting";
import { ControlTable } from "./control-table";
import { DecisionPart } from "./decision-part";
import { HoursPart } from "./hours-part";
import { isDrawn, LookPart } from "./look-part";
import { MeasureTable } from "./measure-table";
import { ReadoutHeader } from "./readout-header";
import { ReadoutHistory } from "./readout-history";

/** One repair in one series: what was measured before and after, and everything it stands on. */
export function ReadoutPage() {
  const id = Number(useParams().id);
  const query = useQuery({ ...readoutQuery(id), enabled: Number.isSafeInteger(id) });
  const readout = query.data;
  usePageTitle(readout ? `Readout: ${readout.series_name}` : "Readout");
  if (readout) return <Loaded key={readout.id} readout={readout} stale={query.isError ? query.error : null} retry={() => void query.refetch()} />;
  if (!Number.isSafeInteger(id) || isGone(query.error)) return <NoSuchReadout />;
  if (query.isPending) return <Loading />;
  return (
    <>
      <h1>This readout could not be read</h1>
      <Failure what="The server gave no figures" error={query.error} onRetry={() => void query.refetch()} />
    </>
  );
}

function isGone(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404;
}

interface LoadedProps {
  readout: ReadoutDetail;
  /** Why the newest question failed; what stands here is then older. */
  stale: Error | null;
  retry: () => void;
}

function Loaded({ readout, stale, retry }: LoadedProps) {
  const { numbers, state } = readout;
  useStateNews(readout);
  return (
    <>
      <ReadoutHeader readout={readout} />
      {stale && <Failure what="The newest figures could not be read; what stands below is older" error={stale} onRetry={retry} />}
      {numbers && state !== "collecting" && <Reasons readout={readout} numbers={numbers} />}
      {numbers && (state === "collecting" ? <Collecting readout={readout} numbers={numbers} /> : <MeasureTable readout={readout} numbers={numbers} />)}
      {numbers && <HoursPart readout={readout} numbers={numbers} />}
      {numbers && state !== "collecting" && <Beside readout={readout} numbers={numbers} />}
      <div className="half sec">
        {numbers && numbers.looks.some(isDrawn) && <LookPart readout={readout} numbers={numbers} />}
        <DecisionPart readout={readout} />
      </div>
      <ReadoutHistory readout={readout} />
      <AllReadouts here={readout.id} />
    </>
  );
}

/** Reads out a state that changed while the page was open. */
function useStateNews({ series_name, state_word }: ReadoutDetail): void {
  const known = useRef(state_word);
  useEffect(() => {
    if (known.current === state_word) return;
    known.current = state_word;
    announce(`${series_name}: ${state_word}`);
  }, [series_name, state_word]);
}

interface MeasuredProps {
  readout: ReadoutDetail;
  numbers: ReadoutNumbers;
}

/** Reported numbers that cannot be; what was rejected of them stands with the source. */
const DOUBTS = ["cached_within_input", "parts_add_up"];

/** What stands behind the state, before any number; a claim needs none of it. */
function Reasons({ readout, numbers: { reasons, others } }: MeasuredProps) {
  const { heading, reason_sentences: sentences } = readout;
  const said = sentences.filter((sentence) => asHeading(sentence) !== asHeading(heading));
  const unnamed = others.filter((label) => !heading.includes(label));
  if (said.length === 0 && unnamed.length === 0) return null;
  return (
    <ul className="reasons">
      {said.map((sentence) => <li key={sentence}>{sentence}</li>)}
      {unnamed.length > 0 && <li>Also marked in these windows: {unnamed.join(", ")}.</li>}
      {reasons.some((reason) => DOUBTS.includes(reason)) && <li><Link to="/sources#rejected-values">Rejected values of {readout.source.name}</Link></li>}
    </ul>
  );
}

function Beside({ readout, numbers }: MeasuredProps) {
  return (
    <div className="half sec">
      <CheckTable checks={numbers.checks} />
      <ControlTable readout={readout} numbers={numbers} />
    </div>
  );
}

function Loading() {
  return (
    <>
      <h1>Readout</h1>
      <RuleRows what="the readout" />
    </>
  );
}

function NoSuchReadout() {
  return (
    <>
      <h1>There is no readout at this address</h1>
      <p className="lede">Its marker was taken away, or you cannot read its source. The <Link to="/readouts">Readouts</Link> are listed here.</p>
    </>
  );
}
