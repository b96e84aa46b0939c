import type { SeriesKeyPlan } from "../../api/types";
import { Fact } from "../../ui/fact";
import { Section } from "../../ui/section";
import { formatCount } from "../../lib/format";

import { lifetime } from "./plan-figures";

/** The rules that the plan follows, with their numbers. */
export function RulesPart({ plan: { rules, generation, key_improves_routing: routes } }: { plan: SeriesKeyPlan }) {
  const fit = formatCount(rules.requests_per_minute);
  return (
    <Section title={routes ? "A key is a hint that steers requests; it pins nothing" : "For this model keys separate accounting"} how="what the plan follows">
      <dl className="kv planrules">
        <Fact name="Generation">{generation}{routes ? ": a key steers requests to a machine that holds the prefix." : ": no key improves routing; a breakpoint after the static part is the repair to try first."}</Fact>
        <Fact name="Under one key">About {fit} requests a minute fit, over all prefixes of the key. Shards only where one key carries many prefixes and its busy minute is above that.</Fact>
        <Fact name="Kept warm by">{formatCount(rules.repeats)} requests within the {lifetime(rules)} that an entry lives. Never more shards than quiet hours keep warm.</Fact>
        <Fact name="Never">A key per request or message: it is used once and finds nothing. Workers that start at once miss with any key; make one call first.</Fact>
        <Fact name="Length">At most {rules.longest_key} characters.</Fact>
      </dl>
    </Section>
  );
}
