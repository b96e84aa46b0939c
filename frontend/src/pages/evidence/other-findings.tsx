import type { EvidenceNumbers } from "../../api/types";
import { Section } from "../../ui/section";

/** Findings behind the first one, each with how sure it is and what it leaves open. */
export function OtherFindings({ numbers: { findings } }: { numbers: EvidenceNumbers }) {
  const [, ...others] = findings;
  if (others.length === 0) return null;
  return (
    <Section title="Also seen" how="in the order of their missed tokens">
      <ul className="others">
        {others.map((one) => (
          <li key={one.cause}>
            <span className="b">{one.word}</span>, <span className="soft">{one.confidence}</span>
            <span className="sub said">{one.statement}</span>
            <span className="sub">{one.does_not_prove}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
