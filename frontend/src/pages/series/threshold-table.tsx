import type { SeriesDetail, ThresholdRow } from "../../api/types";
import { ThresholdBar } from "../../charts/ThresholdBar";
import { Section } from "../../ui/section";
import { areOfAFall, limitWords, SET_BY, thresholdDomain, thresholdHeading, thresholdStanding, thresholdText } from "../../lib/series-thresholds";

/** Each threshold: the value, the shaded side where a finding starts, and the same in words. */
export function ThresholdTable({ series }: { series: SeriesDetail }) {
  const closest = series.thresholds.find((row) => row.closest);
  const ofAFall = areOfAFall(series.thresholds);
  return (
    <Section title={thresholdHeading(series.thresholds, series.verdict)} how="thresholds" fold="the thresholds">
      <div className="thresholds">
        <table>
          <thead>
            <tr>
              <th scope="col">Measure</th>
              <th scope="col" className="num">Now</th>
              <th scope="col"><span className="vh">Position</span></th>
              <th scope="col">{ofAFall ? "Finding at" : "Verdict at"}</th>
            </tr>
          </thead>
          <tbody>
            {series.thresholds.map((row) => <Row key={row.name} row={row} />)}
          </tbody>
        </table>
      </div>
      <p className="note">
        The shaded side of each line is where {ofAFall ? "a finding" : "this verdict"} starts. {closest && `Closest: ${closest.sentence}.`} Thresholds:{" "}
        {SET_BY[series.threshold_values.set_by]}.
      </p>
    </Section>
  );
}

function Row({ row }: { row: ThresholdRow }) {
  return (
    <tr>
      <td>{row.label}{subWords(row) !== "" && <span className="sub">{subWords(row)}</span>}</td>
      <td className="num b">{thresholdText(row)}</td>
      <td><ThresholdBar value={row.value} limit={row.limit} side={row.side} domain={thresholdDomain(row)} /></td>
      <td className="soft">{limitWords(row)}<span className="sub">{thresholdStanding(row)}</span></td>
    </tr>
  );
}

function subWords({ finding, closest }: ThresholdRow): string {
  return [finding, closest ? "closest" : ""].filter((words) => words !== "").join(", ");
}
