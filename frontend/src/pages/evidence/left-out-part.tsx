import type { EvidenceDetail, EvidenceNumbers } from "../../api/types";
import { Section } from "../../ui/section";
import { formatCount, plural } from "../../lib/format";

interface LeftOutPartProps {
  evidence: EvidenceDetail;
  numbers: EvidenceNumbers;
}

/** Rows that do not count, by reason, and records that could not be read. Nothing where all counted. */
export function LeftOutPart({ evidence: { rejected: count }, numbers: { left_out: leftOut, rejected } }: LeftOutPartProps) {
  if (leftOut.length === 0 && rejected.length === 0) return null;
  return (
    <Section title={`${plural(leftOut.reduce((sum, { rows }) => sum + rows, 0), "row")} left out, ${formatCount(count)} rejected`} how="none of them is in a number above">
      <ul className="others">
        {leftOut.map(({ reason, words, rows }) => <li key={reason}>{plural(rows, "row")}: {words}</li>)}
      </ul>
      {rejected.length > 0 && (
        <details className="copied">
          <summary>Records that could not be read</summary>
          <ul className="rejects">
            {rejected.map(({ where, why }) => <li key={`${where}\n${why}`}><span className="b">{where}</span> {why}</li>)}
          </ul>
        </details>
      )}
    </Section>
  );
}
