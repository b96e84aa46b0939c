import type { EvidenceNumbers, EvidencePoint } from "../../api/types";
import { ScrollBox } from "../../ui/scroll-box";
import { clock } from "../../lib/evidence";
import { formatCount, UNKNOWN } from "../../lib/format";

/** The requests of the strip as rows, with the same numbers. */
export function PointTable({ numbers: { points, arms } }: { numbers: EvidenceNumbers }) {
  return (
    <ScrollBox label="Requests as a table">
      <table className="points">
        <caption className="vh">Requests in the order sent</caption>
        <thead>
          <tr>
            <th scope="col" className="num">Request</th>
            <th scope="col">UTC</th>
            {arms.length > 0 && <th scope="col">Arm</th>}
            <th scope="col" className="num">Input tokens</th>
            <th scope="col" className="num">Cached tokens</th>
            <th scope="col">Read</th>
            <th scope="col">Account</th>
            <th scope="col">Note</th>
          </tr>
        </thead>
        <tbody>
          {points.map((point, place) => (
            <tr key={place}>
              <td className="num">{place + 1}</td>
              <td>{point.time === null ? UNKNOWN : clock(point.time)}</td>
              {arms.length > 0 && <td>{arms[point.arm]?.label}</td>}
              <td className="num">{formatCount(point.input_tokens)}</td>
              <td className="num">{formatCount(point.cached_tokens)}</td>
              <td>{point.read}</td>
              <td>{point.account === null ? UNKNOWN : point.account + 1}</td>
              <td>{notes(point)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function notes({ first, missed, cause, key_changed, account_changed }: EvidencePoint): string {
  const miss = missed ? `missed: ${cause ?? "unknown"}` : "";
  return [first ? "first call" : "", key_changed ? "key changed" : "", account_changed ? "account changed" : "", miss].filter(Boolean).join(", ");
}
