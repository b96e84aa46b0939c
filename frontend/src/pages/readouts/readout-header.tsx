import { Link } from "react-router";

import type { ReadoutDetail } from "../../api/types";
import { MarkerParticulars } from "../../ui/marker-particulars";
import { Notice } from "../../ui/notice";
import { ReadoutMark } from "../../ui/readout-mark";
import { SourceName } from "../../ui/source-name";
import { asHeading } from "../../lib/readouts";
import { formatDay, formatHour } from "../../lib/time";

/** Which repair, what it says, and how far one may believe it. */
export function ReadoutHeader({ readout }: { readout: ReadoutDetail }) {
  const { marker, late, decision } = readout;
  return (
    <>
      <Crumb readout={readout} />
      <div className="ids">
        <span className="name">{readout.series_name}</span>
        <ReadoutMark state={readout.state} word={readout.state_word} />
        <span>{shippedWords(readout)}</span>
        <span><MarkerParticulars particulars={readout.particulars} /></span>
        {marker.link !== "" && <a href={marker.link} rel="noreferrer">{linkWords(marker.link)}</a>}
        {decision && <span>decided: {decision.outcome_word}</span>}
      </div>
      <h1>{asHeading(readout.heading)}</h1>
      <p className="banner">
        <span className="b">{readout.state === "collecting" ? "Collecting." : "Before/after estimate."}</span> {readout.caveat}{" "}
        <span className="muted">{standsOn(readout)}</span>
      </p>
      {late && <Notice>{late.sentence}</Notice>}
      {readout.problem !== null && <Notice>{readout.problem}</Notice>}
      {marker.note !== "" && <p className="quote markernote">{marker.note}</p>}
    </>
  );
}

function Crumb({ readout }: { readout: ReadoutDetail }) {
  return (
    <nav className="crumb" aria-label="Where this is">
      <Link to="/readouts">Readouts</Link>
      <span>/</span>
      <SourceName source={readout.source} />
      <span>/</span>
      <Link to={readout.series_path}>{readout.series_name}</Link>
      <span>/</span>
      <span>{`${readout.kind_word} ${formatDay(readout.at)}`}</span>
    </nav>
  );
}

function shippedWords({ kind_word, at, until, marker }: ReadoutDetail): string {
  const end = until === null ? "" : `, to all traffic by ${formatHour(until)} UTC`;
  const by = marker.created_by === null ? "" : ` by ${marker.created_by}`;
  return `${kind_word} ${formatHour(at)} UTC${end}${by}`;
}

/** A pull request by its number; any other link as such. */
function linkWords(link: string): string {
  const number = /\/(?:pull|merge_requests)\/(\d+)/.exec(link)?.[1];
  return number === undefined ? "Link" : `PR ${number}`;
}

function standsOn({ decision, measured_at, complete_to, state, numbers }: ReadoutDetail): string {
  if (decision) return `Frozen since ${formatHour(decision.at)} UTC with the hours of then.`;
  if (measured_at === null || complete_to === null) return "Measured within a minute.";
  const unseen = state === "collecting" && (numbers?.looks.length ?? 0) === 0;
  const wait = unseen ? " No interval and no verdict before its first look." : "";
  return `Hours are complete up to ${formatHour(complete_to)} UTC${comparedUpTo(numbers, complete_to)}; it is measured again as new ones settle.${wait}`;
}

/** Whole days after the marker are compared, so the newest hours may not be among them yet. */
function comparedUpTo(numbers: ReadoutDetail["numbers"], completeTo: string): string {
  const end = numbers?.windows.after.end;
  return end === undefined || Date.parse(end) >= Date.parse(completeTo) ? "" : `, those compared end at ${formatHour(end)} UTC`;
}
