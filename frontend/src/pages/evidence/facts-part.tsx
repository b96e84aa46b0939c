import type { EvidenceNumbers } from "../../api/types";
import { Fact } from "../../ui/fact";
import { Section } from "../../ui/section";

/** What else the rows say: steps of the reads, keys, rates, pauses, the provider's word. */
export function FactsPart({ numbers: { facts } }: { numbers: EvidenceNumbers }) {
  return (
    <Section title="What else the rows say">
      <dl className="kv facts">
        {facts.map(({ name, value }) => <Fact key={name} name={name}>{value}</Fact>)}
      </dl>
    </Section>
  );
}
