import { formatCount, formatShare, UNKNOWN } from "../../lib/format";
import { NOT_FETCHED } from "../../lib/pushed";
import { EXCLUSION, type TimedHour } from "../../lib/series-hours";
import { formatHour } from "../../lib/time";

import { TableBox } from "./table-box";

interface HourTableProps {
  caption: string;
  hours: readonly TimedHour[];
  /** Why nothing is known of missing hours. */
  missing?: string;
}

/** The hours of a chart as a table: the same numbers, in full, with the reason beside each hour that is left out. */
export function HourTable({ caption, hours, missing = NOT_FETCHED }: HourTableProps) {
  return (
    <TableBox caption={caption}>
      <thead>
        <tr>
          <th scope="col">Hour, UTC</th>
          <th scope="col" className="num">Requests</th>
          <th scope="col" className="num">Cached share</th>
          <th scope="col" className="num">Cached tokens</th>
          <th scope="col" className="num">Input tokens</th>
          <th scope="col">In the verdict</th>
        </tr>
      </thead>
      <tbody>
        {hours.map((hour) => <HourRow key={hour.time} hour={hour} missing={missing} />)}
      </tbody>
    </TableBox>
  );
}

function HourRow({ hour, missing }: { hour: TimedHour; missing: string }) {
  return (
    <tr>
      <th scope="row">{formatHour(hour.hour)}</th>
      <td className="num">{formatCount(hour.requests)}</td>
      <td className="num">{hour.share === null ? UNKNOWN : formatShare(hour.share, 1)}</td>
      <td className="num">{formatCount(hour.cached_tokens)}</td>
      <td className="num">{formatCount(hour.input_tokens)}</td>
      <td className="nw">{standing(hour, missing)}</td>
    </tr>
  );
}

function standing(hour: TimedHour, missing: string): string {
  if (hour.state === "missing") return `no: ${missing}`;
  const reason = EXCLUSION[hour.state];
  if (reason !== null) return `no: ${reason}`;
  return hour.third === null ? "yes" : `yes, ${hour.third} third`;
}
