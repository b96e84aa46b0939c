import type { ReadoutDetail } from "../../api/types";
import { Section } from "../../ui/section";
import { formatHour } from "../../lib/time";

/** Who decided what and when, and what the readout said then. */
export function ReadoutHistory({ readout: { changes } }: { readout: ReadoutDetail }) {
  if (changes.length === 0) return null;
  return (
    <Section title="Decisions" how="the latest last">
      <ul className="acty">
        {changes.map((change) => (
          <li key={change.at}>
            <span className="who">{change.by ?? "somebody who left"}</span> <time dateTime={change.at}>{formatHour(change.at)} UTC</time>
            <br />
            {change.action === "decided" ? `Decided: ${change.outcome_word}. ` : `Took the decision back (${change.outcome_word}). `}
            {change.reason}
            <br />
            <span className="muted">It said {change.state_word} then.</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
