import type { SeriesDetail } from "../../api/types";
import { Section } from "../../ui/section";
import { stabilityHeading, stabilityRows } from "../../lib/series-standing";

/** The fall with its busiest hour and with each single day left out. */
export function StabilityTable({ series }: { series: SeriesDetail }) {
  if (series.stability === null) return null;
  return (
    <Section title={stabilityHeading(series)} how="stability" fold="the table">
      <table className="stability">
        <thead>
          <tr>
            <th scope="col">Left out</th>
            <th scope="col" className="num">Fall inside the day</th>
          </tr>
        </thead>
        <tbody>
          {stabilityRows(series).map(({ name, value, sub }) => (
            <tr key={name}>
              <th scope="row">{name}<span className="sub">{sub}</span></th>
              <td className="num b">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
