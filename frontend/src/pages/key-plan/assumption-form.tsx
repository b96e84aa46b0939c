import { useSearchParams, Link } from "react-router";
import type { SubmitEvent } from "react";

import type { SeriesKeyPlan } from "../../api/types";
import { Field } from "../../ui/field";
import { Section } from "../../ui/section";
import { MOST_PREFIXES, MOST_REQUESTS_PER_MINUTE, UNIT_WORDS, type Assumptions } from "../../lib/key-plan";

interface AssumptionFormProps {
  given: Assumptions;
  plan: SeriesKeyPlan;
}

const NAMES = ["unit", "prefixes", "requests_per_minute"] as const;

/** What the reader knows besides. The address holds it, so that a plan can be sent to somebody. */
export function AssumptionForm({ given, plan }: AssumptionFormProps) {
  const [, setSearch] = useSearchParams();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setSearch(said(form), { preventScrollReset: true });
  };
  const assumes = Object.keys(given).length > 0;
  return (
    <Section title={assumes ? "The plan is for what you say here" : "What do you know that hours do not tell?"} how="assumptions" acts={assumes && <Link to="?" preventScrollReset>Take them back</Link>}>
      <form className="form assumptions" method="get" onSubmit={submit}>
        <Field label="One key stands for" hint="The finest unit that comes three times within a lifetime and shares the long part.">
          {(attributes) => (
            <select {...attributes} name="unit" defaultValue={given.unit ?? ""}>
              <option value="">What repeats, as far as is known</option>
              {Object.entries(UNIT_WORDS).map(([unit, word]) => <option key={unit} value={unit}>{word}</option>)}
            </select>
          )}
        </Field>
        <Field label="Different prefixes of the template" hint="How many tenants or documents it is asked for. One prefix needs no shards.">
          {(attributes) => <input {...attributes} name="prefixes" type="number" inputMode="numeric" min={1} max={MOST_PREFIXES} step={1} placeholder="not known" defaultValue={given.prefixes ?? ""} />}
        </Field>
        <Field label="Requests in a busy minute" hint={plan.minutes !== null ? "At most so many in 99 of 100 minutes. Left empty: as it was read by the minute." : "At most so many in 99 of 100 minutes, from your own metrics. Hours only give a lower bound."}>
          {(attributes) => <input {...attributes} name="requests_per_minute" type="number" inputMode="decimal" min={0.1} max={MOST_REQUESTS_PER_MINUTE} step="any" placeholder="as measured" defaultValue={given.requests_per_minute ?? ""} />}
        </Field>
        <div className="row"><button className="btn" type="submit">Plan with this</button></div>
      </form>
    </Section>
  );
}

/** What is filled in; what is empty is left out of the address. */
function said(form: FormData): URLSearchParams {
  const search = new URLSearchParams();
  for (const name of NAMES) {
    const value = form.get(name);
    if (typeof value === "string" && value.trim() !== "") search.set(name, value.trim());
  }
  return search;
}
