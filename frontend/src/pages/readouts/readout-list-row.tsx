import { Link } from "react-router";

import type { ReadoutMeasure, ReadoutRow, ReadoutState } from "../../api/types";
import { IntervalBar } from "../../charts/IntervalBar";
import { MarkerParticulars } from "../../ui/marker-particulars";
import { ReadoutMark } from "../../ui/readout-mark";
import { UNKNOWN } from "../../lib/format";
import { asHeading, changeText, daysWords, isInPoints, netText, standingOf } from "../../lib/readouts";
import { formatDay } from "../../lib/time";

import { ProgressOf } from "./progress-of";
import { toneOf } from "./tone";

/** Of an interval in the list, and of the scale above. */
export const LIST_BAR_WIDTH = 150;
const LIST_CELLS = 24;

interface ReadoutListRowProps {
  row: ReadoutRow;
  /** The end of the scale that all intervals in points share. */
  most: number;
  /** It is the readout whose page this is. */
  here: boolean;
  "aria-current"?: "true";
}

/** What a readout says, of what, with the numbers of its primary measure, and why. */
export function ReadoutListRow({ row, most, here, "aria-current": current }: ReadoutListRowProps) {
  return (
    <tr role="row" aria-current={current} className={here ? "here" : undefined}>
      <td role="cell" className="rstate"><ReadoutMark state={row.state} word={row.state_word} />{row.decision && <span className="sub">decided: {row.decision.outcome_word.toLowerCase()}</span>}</td>
      <td role="cell" className="rname"><Link to={row.path} aria-current={here ? "page" : undefined}>{row.project_name}</Link><span className="sub">{row.model ?? "(none)"}</span></td>
      <td role="cell" className="rkey">{row.kind_word} <span className="nw">{formatDay(row.at)}</span><span className="soft nw">, {daysWords(row.days_since)}</span><span className="sub"><MarkerParticulars particulars={row.particulars} /></span></td>
      <Numbers row={row} />
      <td role="cell" className="rbar"><Bar row={row} most={most} /></td>
      <td role="cell" className="rwhy soft"><Why row={row} /></td>
    </tr>
  );
}

function Numbers({ row }: { row: ReadoutRow }) {
  const { state, primary } = row;
  const collecting = state === "collecting";
  const stated = primary !== null && standingOf(state) !== "unstated";
  return (
    <>
      <td role="cell" className="num rbefore"><i className="narrow-label">before</i>{primary?.before.text ?? UNKNOWN}<span className="sub">{primary?.before.under}</span></td>
      <td role="cell" className="num rafter">
        <i className="narrow-label">after</i>
        {collecting ? <span className="muted">collecting</span> : <>{primary?.after.text ?? UNKNOWN}<span className="sub">{primary?.after.under}</span></>}
      </td>
      <td role="cell" className="num rchange">
        <i className="narrow-label">change</i>
        {stated ? <Change row={row} primary={primary} /> : <span className="muted">{collecting ? "no claim yet" : "not stated"}</span>}
      </td>
    </>
  );
}

/** The change beyond the controls; the raw one, which the interval is of, beside it where it differs. */
function Change({ row, primary }: { row: ReadoutRow; primary: ReadoutMeasure }) {
  const both = netText(row);
  return (
    <>
      <span className="b">{both?.net ?? changeText(primary, row.state)}</span>
      {both && <span className="soft"> net</span>}
      {both && <span className="sub">raw {both.raw}</span>}
      {primary.interval && <span className="sub">{primary.interval_text}{both && " of the raw change"}</span>}
    </>
  );
}

function Bar({ row, most }: { row: ReadoutRow; most: number }) {
  const { state, primary } = row;
  if (state === "collecting") return <ProgressOf readout={row} most={LIST_CELLS} />;
  if (primary === null || standingOf(state) === "unstated") return <span className="muted">not drawn</span>;
  if (!isInPoints(primary)) return <span className="muted">not in points</span>;
  return <IntervalBar value={primary.change} interval={primary.interval} most={most} width={LIST_BAR_WIDTH} tone={toneOf(state)} label={`${netText(row) ? "raw " : ""}${changeText(primary, state)}, interval ${primary.interval_text}`} />;
}

/** States whose sentence only says that nothing can be said; why is among the reasons. */
const GENERAL: readonly ReadoutState[] = ["traffic-changed", "suspicious"];

/** Its own sentence, or what stands against any. */
function Why({ row: { state, heading, reason_sentences: reasons, problem } }: { row: ReadoutRow }) {
  if (problem !== null) return problem;
  return GENERAL.includes(state) && reasons.length > 0 ? reasons.join(" ") : asHeading(heading);
}
