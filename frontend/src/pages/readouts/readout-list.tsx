import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { readoutQuery } from "../../api/readouts";
import type { ReadoutMeasure, ReadoutRow } from "../../api/types";
import { IntervalBar, IntervalScale } from "../../charts/IntervalBar";
import { ProgressCells } from "../../charts/ProgressCells";
import { MarkerParticulars } from "../../ui/marker-particulars";
import { ReadoutMark } from "../../ui/readout-mark";
import { changeText, isInPoints, primaryOf, progressOf, standingOf } from "../../lib/readouts";
import { formatDay } from "../../lib/time";
import { useRowCursor } from "../../lib/use-row-cursor";

import { toneOf } from "./tone";

interface ReadoutListProps {
  rows: readonly ReadoutRow[];
  filtered: boolean;
  /** The rows belong to the choice before; new ones are on the way. */
  busy: boolean;
}

const SCALE = 1;
const HEADINGS = ["State", "Series", "Shipped", "Before", "After", "Change"] as const;

/** One row for each repair in one series. Roles are spelled out, since narrow rows are blocks. */
export function ReadoutList({ rows, filtered, busy }: ReadoutListProps) {
  const { bodyRef, rowProps } = useRowCursor(rows.map(({ path }) => path));
  return (
    <div className="scroll" aria-busy={busy}>
      <table className="readouts stacked" role="table">
        <caption className="vh">Readouts of shipped repairs</caption>
        <thead role="rowgroup">
          <tr role="row">
            {HEADINGS.map((name, index) => <th key={name} role="columnheader" scope="col" className={index > 2 ? "num" : undefined}>{name}</th>)}
            <th role="columnheader" scope="col"><span className="vh">Interval</span><IntervalScale most={SCALE} labels={["\u2212100", "0", "+100"]} /></th>
            <th role="columnheader" scope="col">Why this state</th>
          </tr>
        </thead>
        <tbody role="rowgroup" ref={bodyRef}>
          {rows.map((row, index) => <Row key={row.id} row={row} {...rowProps(index)} />)}
          {rows.length === 0 && <NoRows filtered={filtered} />}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, "aria-current": current }: { row: ReadoutRow; "aria-current"?: "true" }) {
  const detail = useQuery(readoutQuery(row.id)).data;
  const primary = primaryOf(detail?.numbers ?? null);
  const reasons = detail?.numbers?.reason_sentences.join(" ") ?? "";
  return (
    <tr role="row" aria-current={current}>
      <td role="cell" className="rstate"><ReadoutMark state={row.state} word={row.state_word} /></td>
      <td role="cell" className="rname"><Link to={row.path}>{row.project_name}</Link><span className="sub">{row.model ?? "(none)"}</span></td>
      <td role="cell" className="rkey">{row.kind_word} {formatDay(row.at)}{detail && <span className="sub"><MarkerParticulars marker={detail.marker} /></span>}</td>
      <Numbers row={row} primary={primary} />
      <td role="cell" className="rwhy soft">
        {reasons === "" || row.is_claim ? row.heading : reasons}
        {row.decision && <span className="sub">Decided: {row.decision.outcome_word}</span>}
      </td>
    </tr>
  );
}

function Numbers({ row, primary }: { row: ReadoutRow; primary: ReadoutMeasure | null }) {
  const standing = standingOf(row.state);
  const progress = row.state === "collecting" ? progressOf(row.missing) : null;
  const stated = primary !== null && standing !== "unstated";
  return (
    <>
      <td role="cell" className="num rbefore"><i className="narrow-label">before </i>{primary?.before.text ?? "N/A"}</td>
      <td role="cell" className="num rafter"><i className="narrow-label">after </i>{row.state === "collecting" ? <span className="muted">collecting</span> : (primary?.after.text ?? "N/A")}</td>
      <td role="cell" className="num rchange">
        {stated ? changeText(primary, row.state) : <span className="muted">{row.state === "collecting" ? "no interval yet" : "not stated"}</span>}
        {stated && primary.interval && <span className="sub">{primary.interval_text}</span>}
      </td>
      <td role="cell" className="rbar">
        {progress && <ProgressCells have={progress.have} need={progress.need} label={`${progress.have} of ${progress.need} ${progress.of}`} />}
        {stated && isInPoints(primary) && (
          <IntervalBar value={primary.change} interval={primary.interval} most={SCALE} tone={toneOf(row.state)} label={`${changeText(primary, row.state)}, interval ${primary.interval_text}`} />
        )}
      </td>
    </>
  );
}

function NoRows({ filtered }: { filtered: boolean }) {
  return (
    <tr role="row">
      <td role="cell" colSpan={8} className="empty">
        {filtered ? (
          <>No readouts match. <Link to="/readouts">Clear filters</Link></>
        ) : (
          <>Nothing has been marked as shipped yet. Open a series on the <Link to="/">Overview</Link> and mark its repair there; the readout opens by itself.</>
        )}
      </td>
    </tr>
  );
}
