import type { ReadoutDetail, ReadoutLook, ReadoutNumbers } from "../../api/types";
import { LookStrip, type Look } from "../../charts/LookStrip";
import { ChartSection } from "../series/chart-section";
import { csvAddress } from "../../lib/series-csv";
import { formatPoints, formatShare, UNKNOWN } from "../../lib/format";
import { lookHeading, READOUTS, standingOf } from "../../lib/readouts";

import { toneOf } from "./tone";

/** The estimate as of each day on which the word could change. */
export function LookPart({ readout, numbers }: { readout: ReadoutDetail; numbers: ReadoutNumbers }) {
  const { looks } = numbers;
  const unit = numbers.primary === "input_cost_per_request" ? "percent" : "points";
  return (
    <ChartSection
      id="looks"
      title={lookHeading(looks)}
      how={`estimate as of each look, ${unit}`}
      csv={looksCsv(looks)}
      csvName={`readout ${readout.id} looks.csv`}
      chart={<LookStrip finding={`${lookHeading(looks)}. ${looks.map(lookWords).join("; ")}`} looks={looks.map(drawn)} formatTick={(value) => formatPoints(value).replace(/\.0$/, "")} />}
      table={<LookTable looks={looks} />}
      note="The word can only change on these days. Earlier looks ask for more confidence, so that looking often does not make a chance finding."
    />
  );
}

/** Whether a look has an estimate to show; while hours are collected there is none. */
export function isDrawn(look: ReadoutLook): boolean {
  return standingOf(look.state) !== "unstated" && look.change !== null;
}

function drawn(look: ReadoutLook): Look {
  const stated = isDrawn(look);
  return {
    key: look.days,
    value: stated ? look.change : null,
    interval: stated ? look.interval : null,
    tone: toneOf(look.state),
    text: standingOf(look.state) === "bracketed" ? `(${formatPoints(look.change)})` : formatPoints(look.change),
    title: `day ${look.days}, ${formatShare(look.confidence)}`,
    note: READOUTS[look.state].word,
  };
}

function lookWords({ days, state, change }: ReadoutLook): string {
  return `day ${days}: ${READOUTS[state].word}, ${formatPoints(change)}`;
}

function LookTable({ looks }: { looks: readonly ReadoutLook[] }) {
  return (
    <table className="looks">
      <caption className="vh">Estimate as of each look</caption>
      <thead>
        <tr>
          <th scope="col">Days after</th>
          <th scope="col">State</th>
          <th scope="col" className="num">Change</th>
          <th scope="col" className="num">Interval</th>
          <th scope="col" className="num">Confidence</th>
        </tr>
      </thead>
      <tbody>
        {looks.map((look) => (
          <tr key={look.days}>
            <th scope="row">{look.days}</th>
            <td>{READOUTS[look.state].word}</td>
            <td className="num">{drawn(look).value === null ? UNKNOWN : drawn(look).text}</td>
            <td className="num">{look.interval ? look.interval.map(formatPoints).join(" to ") : UNKNOWN}</td>
            <td className="num">{formatShare(look.confidence)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function looksCsv(looks: readonly ReadoutLook[]): string {
  const rows = looks.map(({ days, state, change, interval, confidence }) => [days, state, change, interval?.[0] ?? null, interval?.[1] ?? null, confidence]);
  return csvAddress(["days", "state", "change", "low", "high", "confidence"], rows);
}
