import type { ReadoutDetail, ReadoutNumbers } from "../../api/types";
import { ScrollBox } from "../../ui/scroll-box";
import { Section } from "../../ui/section";
import { plural } from "../../lib/format";
import { progressOf } from "../../lib/readouts";
import { formatHour } from "../../lib/time";

import { ProgressOf } from "./progress-of";

interface CollectingProps {
  readout: ReadoutDetail;
  numbers: ReadoutNumbers;
}

/** What is there so far, and what is missing: no interval, no verdict. */
export function Collecting({ readout, numbers }: CollectingProps) {
  const { windows } = numbers;
  return (
    <>
      <ProgressPart readout={readout} washoutHours={windows.washout_hours} />
      <Section title="Numbers so far" how="raw; no claim before the first look">
        <ScrollBox label="Numbers so far" className="sofar">
          <table className="stacked" role="table">
            <caption className="vh">Numbers so far</caption>
            <thead role="rowgroup">
              <tr role="row">
                <th role="columnheader" scope="col">Measure</th>
                <th role="columnheader" scope="col" className="num">Before<br />from {formatHour(windows.before.start)}</th>
                <th role="columnheader" scope="col" className="num">After, so far<br />to {formatHour(windows.after.end)}</th>
                <th role="columnheader" scope="col">Change</th>
                <th role="columnheader" scope="col">Expected</th>
              </tr>
            </thead>
            <tbody role="rowgroup">
              {numbers.measures.map((measure) => (
                <tr key={measure.name} role="row">
                  <th role="rowheader" scope="row" className="b">{measure.label}</th>
                  <td role="cell" className="num"><i className="narrow-label">before</i>{measure.before.text}<span className="sub">{measure.before.under}</span></td>
                  <td role="cell" className="num"><i className="narrow-label">after, so far</i>{measure.after.text}<span className="sub">{measure.after.under}</span></td>
                  <td role="cell" className="muted later">not stated yet</td>
                  <td role="cell" className="soft"><i className="narrow-label">expected</i>{measure.direction_word}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      </Section>
    </>
  );
}

function ProgressPart({ readout, washoutHours }: { readout: ReadoutDetail; washoutHours: number }) {
  if (progressOf(readout.missing_numbers) === null) return null;
  return (
    <Section title="What is collected" how={`the first ${washoutHours === 1 ? "hour" : plural(washoutHours, "hour")} after the marker left out, while the change settles`}>
      <ProgressOf readout={readout} />
      <p className="note">{readout.missing}</p>
    </Section>
  );
}
