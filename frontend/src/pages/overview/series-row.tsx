import { Fragment } from "react";
import { Link } from "react-router";

import type { SeriesRow, Third, VerdictSummary } from "../../api/types";
import { SlopeGlyph } from "../../charts/SlopeGlyph";
import { Sparkline } from "../../charts/Sparkline";
import { Share } from "../../ui/share";
import { Unknown } from "../../ui/unknown";
import { VerdictChip } from "../../ui/verdict-chip";
import { formatCount, formatRate, formatShare, plural } from "../../lib/format";
import { flagWords } from "../../lib/series-standing";
import { formatDay, formatMoment } from "../../lib/time";
import { verdictColour } from "../../lib/verdicts";

import { AvoidableCell } from "./avoidable-cell";
import { WorkCells } from "./work-cells";

interface SeriesTableRowProps {
  row: SeriesRow;
  severalSources: boolean;
  /** Where marked changes stand in the 7-day line: 0 at its first point, 1 at its last. */
  markers: readonly number[];
  /** What the link to the series hands on. */
  state: unknown;
  "aria-current"?: "true";
}

const WINDOW_DAYS = 7;

/** One project and model: verdict with its reason and flags, cached share, seven days, quiet to busy, what it costs. */
export function SeriesTableRow({ row, severalSources, markers, state, "aria-current": current }: SeriesTableRowProps) {
  return (
    <tr role="row" aria-current={current}>
      <td role="cell" className="proj">
        <Link to={row.path} state={state}>{row.project_name}</Link>{" "}
        <span className="m muted">
          <i>/ </i>
          {row.model_name}
        </span>
        {severalSources && <span className="sub">{row.source.name}</span>}
      </td>
      <td role="cell" className="model">
        {row.model_name}
      </td>
      <td role="cell" className="verd">
        <Verdict row={row} />
      </td>
      <td role="cell" className="shr num">
        <Share pooled={row.pooled} nothing={whyNothing(row)} />
      </td>
      <td role="cell" className="spk">
        <Sparkline points={row.points} markers={markers} />
      </td>
      <td role="cell" className="slp">
        <QuietToBusy row={row} />
      </td>
      <td role="cell" className="rpd num">
        {row.requests_per_day === null ? <Unknown reason={whyNothing(row) ?? "not reported"} /> : requestsWords(row.requests_per_day)}
      </td>
      <td role="cell" className="usd num">
        <AvoidableCell money={row.money} claimed={row.avoidable !== null} />
      </td>
      <WorkCells work={row.work} path={row.path} />
      <td role="cell" className="sin nw">
        {row.verdict ? <Since verdict={row.verdict} /> : <Unknown reason="no verdict yet" />}
      </td>
    </tr>
  );
}

/** Whether the whole window of the verdict, a week, had no traffic. */
function isIdle({ idle_days }: SeriesRow): boolean {
  return idle_days >= WINDOW_DAYS;
}

/** Why the window has no number at all; null where it has, or where one was not reported. */
function whyNothing(row: SeriesRow): string | null {
  if (!row.verdict) return "no verdict yet";
  if (isIdle(row)) return "no traffic";
  return row.awaits_settling ? "not settled yet" : null;
}

/** A few requests in a week are not none. */
function requestsWords(aDay: number): string {
  return aDay > 0 && aDay < 1 ? "under 1" : formatCount(aDay);
}

function Verdict({ row: { verdict, decision, idle_days } }: { row: SeriesRow }) {
  return (
    <>
      {verdict ? <VerdictChip code={verdict.code} word={verdict.word} /> : <span className="muted">N/A</span>}
      {decision?.newest_differs && <span className="flag" title={decision.sentence}>provisional</span>}
      {verdict?.flags.map((flag) => (
        <Fragment key={flag}>
          {" "}
          <span className="flag">{flagWords(flag, verdict)}</span>
        </Fragment>
      ))}{" "}
      {idle_days >= 1 && <span className="flag">no traffic for {plural(idle_days, "day")}</span>}
      <span className="sub">{verdict ? (verdict.nearest ?? verdict.short) : "not classified yet"}</span>
    </>
  );
}

/** The first day of the verdict; under it when it began, where the hours show that ("about": not yet sure), else for how long. */
function Since({ verdict: { since, days, onset } }: { verdict: VerdictSummary }) {
  return (
    <>
      {formatDay(since)}
      <span className="sub">{onset ? `began ${onset.provisional ? "about " : ""}${formatMoment(onset.at)}` : `${days} d`}</span>
    </>
  );
}

function QuietToBusy({ row: { quiet, busy, third_reason, verdict } }: { row: SeriesRow }) {
  if (!quiet || !busy || quiet.share === null || busy.share === null) {
    return <Unknown reason={third_reason ?? "cannot be split by load"} />;
  }
  const colour = verdict ? verdictColour(verdict.code) : undefined;
  return (
    <div className="slope">
      <span className="l">
        <End third={quiet} />
      </span>
      <SlopeGlyph left={quiet.share} right={busy.share} colour={colour} />
      <span className="r">
        <End third={busy} />
      </span>
    </div>
  );
}

function End({ third }: { third: Third }) {
  return (
    <>
      <b>{formatShare(third.share)}</b>
      <span className="sub">{formatRate(third.requests_per_hour)}</span>
    </>
  );
}
