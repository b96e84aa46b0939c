import type { RulesThreshold } from "../../api/types";
import { ScrollBox } from "../../ui/scroll-box";
import { Section } from "../../ui/section";
import { countWord, formatCount } from "../../lib/format";
import { settableWords, thresholdValue } from "../../lib/threshold-values";

/** Every threshold with its value, unit and source; first those that a team may set. */
export function ThresholdList({ thresholds }: { thresholds: readonly RulesThreshold[] }) {
  const settable = thresholds.filter(({ low }) => low !== null);
  const fixed = thresholds.filter(({ low }) => low === null);
  return (
    <Section id="thresholds" title={heading(settable.length, thresholds.length)} how="thresholds" fold={`the ${formatCount(thresholds.length)} thresholds`}>
      <p className="note">
        The values are the defaults. A team may set its own for a source or for one series; the page of a series shows those that decided it.
      </p>
      <ScrollBox label="Thresholds">
        <table className="limits">
          <caption className="vh">Thresholds with value, unit and source</caption>
          <thead>
            <tr>
              <th scope="col">Threshold</th>
              <th scope="col" className="num">
                Value
              </th>
              <th scope="col">Unit</th>
              <th scope="col">A team may set</th>
              <th scope="col">Source</th>
            </tr>
          </thead>
          <tbody>
            {[...settable, ...fixed].map((threshold) => (
              <Row key={threshold.name} threshold={threshold} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </Section>
  );
}

function heading(settable: number, all: number): string {
  const word = countWord(settable);
  return `${word.charAt(0).toUpperCase()}${word.slice(1)} of ${formatCount(all)} thresholds can be set by a team`;
}

function Row({ threshold }: { threshold: RulesThreshold }) {
  const { name, label, unit, value, source, low } = threshold;
  return (
    <tr>
      <th scope="row">
        {label}
        <span className="sub">
          <code>{name}</code>
        </span>
      </th>
      <td className="num b">{thresholdValue(value, unit)}</td>
      <td>{unit}</td>
      <td className={low === null ? "muted" : undefined}>{settableWords(threshold)}</td>
      <td className="src">{source}</td>
    </tr>
  );
}
