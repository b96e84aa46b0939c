import type { ReadoutDetail, ReadoutMeasure, ReadoutNumbers } from "../../api/types";
import { IntervalBar, IntervalScale } from "../../charts/IntervalBar";
import { Mark } from "../../ui/mark";
import { ScrollBox } from "../../ui/scroll-box";
import { Section } from "../../ui/section";
import { formatPoints, formatShare, plural } from "../../lib/format";
import { changeText, isInPoints, measureHeading, pointScale, scaleEnds, standingOf } from "../../lib/readouts";
import { formatHour } from "../../lib/time";

import { toneOf } from "./tone";

const BAR_WIDTH = 200;

interface MeasureTableProps {
  readout: ReadoutDetail;
  numbers: ReadoutNumbers;
}

/** The measures in their fixed order, each with its tokens, change, interval, and what was expected. */
export function MeasureTable({ readout, numbers }: MeasureTableProps) {
  const most = pointScale([...numbers.measures.filter(isInPoints), { change: numbers.net_change.value, interval: numbers.net_change.interval }]);
  return (
    <Section title={standingOf(readout.state) === "claim" ? measureHeading(numbers.measures) : "What was measured"} how={beside(numbers)} acts={<ReadoutFiles readout={readout} />}>
      <ScrollBox label="Measures before and after">
        <table className="meas stacked" role="table">
          <caption className="vh">Measures before and after</caption>
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" scope="col">Measure</th>
              <th role="columnheader" scope="col" className="num"><Window name="Before" window={numbers.windows.before} /></th>
              <th role="columnheader" scope="col" className="num"><Window name="After" window={numbers.windows.after} /></th>
              <th role="columnheader" scope="col" className="num">Change at equal load<br />90% interval</th>
              <th role="columnheader" scope="col"><span className="vh">Interval</span><IntervalScale most={most} labels={scaleEnds(most)} width={BAR_WIDTH} /></th>
              <th role="columnheader" scope="col">Expected</th>
              <th role="columnheader" scope="col">Reading</th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {numbers.measures.map((measure) => (
              <MeasureRow key={measure.name} measure={measure} readout={readout} net={measure.name === numbers.primary ? netOf(measure, numbers) : null} primary={measure.name === numbers.primary} most={most} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {readout.state === "no-detectable-change" && <p className="note">{numbers.detectable_sentence}</p>}
      <details className="copied">
        <summary>How these numbers belong together</summary>
        <ul className="others belong">
          {belonging(readout, numbers).map((sentence) => <li key={sentence}>{sentence}</li>)}
        </ul>
      </details>
    </Section>
  );
}

/** The measures as a file, and the whole readout. */
function ReadoutFiles({ readout: { path } }: { readout: ReadoutDetail }) {
  return (
    <>
      <a href={`${path}.csv`} download aria-label="CSV of the measures">CSV</a>
      <a href={`${path}.json`} aria-label="JSON of the readout">JSON</a>
    </>
  );
}

function beside({ low_days }: ReadoutNumbers): string | null {
  return low_days === 0 ? null : `${plural(low_days, "day")} of far less traffic than usual left out`;
}

function Window({ name, window }: { name: string; window: { start: string; end: string } }) {
  return <>{name}<br />{`${formatHour(window.start)} to ${formatHour(window.end)}`}</>;
}

/** The change beyond the controls where it is not the plain one; the heading and the word are of it. */
function netOf(measure: ReadoutMeasure, { net_change: { value, interval } }: ReadoutNumbers): ReadoutMeasure | null {
  if (value === null || !isInPoints(measure)) return null;
  const text = formatPoints(value);
  return text === measure.change_text ? null : { ...measure, change: value, change_text: text, interval, interval_text: interval?.map(formatPoints).join(" to ") ?? "" };
}

/** What each number of the table is, in words. */
function belonging({ state }: ReadoutDetail, numbers: ReadoutNumbers): string[] {
  const stated = standingOf(state) !== "unstated";
  return [
    "Shares are pooled (tokens over tokens), never a mean of hourly ratios. Before and after each hold their own hours.",
    "A change compares hours of equal load, so it need not be the difference of the two pooled shares. Under the share before stands what it would have been at the load of the hours after: the heading compares with that one.",
    "The primary change is the one beyond what untouched series did at the same time, where enough of them are there; the plain one stands under it where it differs.",
    "Intervals are by day, at 90%. A measure that is not in points has a scale of its own.",
    ...(stated && state !== "no-detectable-change" ? [numbers.detectable_sentence] : []),
    ...(stated ? [numbers.placebo_sentence] : []),
  ].filter((sentence): sentence is string => !!sentence);
}

interface MeasureRowProps {
  measure: ReadoutMeasure;
  readout: ReadoutDetail;
  /** The same measure with its change beyond the controls, where that differs. */
  net: ReadoutMeasure | null;
  primary: boolean;
  most: number;
}

function MeasureRow({ measure, readout: { state }, net, primary, most }: MeasureRowProps) {
  const shown = net ?? measure;
  const stated = standingOf(state) !== "unstated" && measure.change !== null;
  return (
    <tr role="row" className={primary ? "primary" : undefined}>
      <td role="cell" className="mname">
        <span className="b">{measure.label}</span>
        {primary && <span className="sub">primary: this one gives the word</span>}
      </td>
      <td role="cell" className="num mbefore"><i className="narrow-label">Before</i><span className="v">{measure.before.text}</span><span className="sub">{measure.before.under}</span><Expected measure={measure} /></td>
      <td role="cell" className="num mafter"><i className="narrow-label">After</i><span className="v">{measure.after.text}</span><span className="sub">{measure.after.under}</span></td>
      <td role="cell" className="num mchange">
        <i className="narrow-label">Change</i>
        {stated ? <span className="v">{changeText(shown, state)}</span> : <span className="muted">not stated</span>}
        {stated && shown.interval && <span className="sub">{shown.interval_text}</span>}
        {stated && net && <span className="sub plain">beyond untouched series; {changeText(measure, state)} with what they did</span>}
      </td>
      <td role="cell" className="mbar">{stated ? <Bar measure={shown} most={most} state={state} /> : <span className="muted">not drawn</span>}</td>
      <td role="cell" className="mexp soft"><i className="narrow-label">Expected</i>{measure.direction_word}</td>
      <td role="cell" className="mread">{standingOf(state) === "unstated" ? <span className="muted">not stated</span> : <Reading measure={measure} claimed={standingOf(state) === "claim"} />}</td>
    </tr>
  );
}

/** What the hours before would have given at the load of the hours after: the headline compares with it. */
function Expected({ measure }: { measure: ReadoutMeasure }) {
  const differs = measure.expected !== null && isInPoints(measure) && formatShare(measure.expected, 1) !== measure.before.text;
  return differs && <span className="sub">{formatShare(measure.expected, 1)} at equal load</span>;
}

/** More than the row's own interval, so that its ends can be seen. */
const ROOM = 1.25;

function Bar({ measure, most, state }: { measure: ReadoutMeasure; most: number; state: ReadoutDetail["state"] }) {
  const own = Math.max(...[measure.change ?? 0, ...(measure.interval ?? [])].map(Math.abs)) * ROOM;
  const tone = measure.reading === "no-change-seen" ? "same" : toneOf(state);
  const label = `${changeText(measure, state)}, interval ${measure.interval_text}`;
  return <IntervalBar value={measure.change} interval={measure.interval} most={isInPoints(measure) ? most : own} width={BAR_WIDTH} tone={toneOf(state) === "hollow" ? "hollow" : tone} label={label} />;
}

function Reading({ measure: { reading, reading_word }, claimed }: { measure: ReadoutMeasure; claimed: boolean }) {
  if (!claimed || reading === "unknown") return <span className="soft">{reading_word}</span>;
  if (reading === "as-expected") return <Mark kind="okk">{reading_word}</Mark>;
  return reading === "no-change-seen" ? <span className="soft">{reading_word}</span> : <Mark kind="warn">{reading_word}</Mark>;
}
