import type { SeriesDetail } from "../../api/types";
import { Section } from "../../ui/section";
import { formatCount } from "../../lib/format";
import { isPushed } from "../../lib/pushed";
import { exclusionHeading, exclusionRows } from "../../lib/series-excluded";
import type { TimedHour } from "../../lib/series-hours";

interface ExcludedHoursProps {
  series: SeriesDetail;
  windowHours: readonly TimedHour[];
}

/** Which hours do not enter the verdict, and why; nothing without a verdict. */
export function ExcludedHours({ series, windowHours }: ExcludedHoursProps) {
  const { source, excluded, linked_hours: used, now_hours: all } = series;
  if (excluded === null || used === null) return null;
  const rows = exclusionRows(excluded, windowHours, isPushed(source));
  return (
    <Section title={exclusionHeading(used, all)} how="what was excluded" fold={rows.length > 0 ? "the reasons" : undefined}>
      {rows.length > 0 && (
        <table className="excluded">
          <thead>
            <tr>
              <th scope="col">Left out because</th>
              <th scope="col" className="num">Hours</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.reason}>
                <td><span className="b">{row.reason}</span><span className="sub">{row.why}</span></td>
                <td className="num">{formatCount(row.hours)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
