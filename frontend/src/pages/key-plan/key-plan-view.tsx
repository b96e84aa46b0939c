import { Link } from "react-router";

import type { SeriesKeyPlan } from "../../api/types";
import { CodeSamples } from "../../ui/code-samples";
import { Section } from "../../ui/section";
import type { Assumptions } from "../../lib/key-plan";
import { shownKeys, UNIT_WORDS } from "../../lib/key-plan";
import { formatCount, plural } from "../../lib/format";
import { formatHour } from "../../lib/time";

import { AssumptionForm } from "./assumption-form";
import { PlanFigures } from "./plan-figures";
import { RulesPart } from "./rules-part";
import { UnitsPart } from "./units-part";

interface KeyPlanViewProps {
  plan: SeriesKeyPlan;
  given: Assumptions;
  /** The plan is that of what was given before. */
  stale: boolean;
}

/** The advice and everything that it stands on. */
export function KeyPlanView({ plan, given, stale }: KeyPlanViewProps) {
  const [verdict, ...others] = plan.reasons;
  return (
    <div aria-busy={stale}>
      <div className="ids">
        <span className="name">{`${plan.project_name} / ${plan.model_name}`}</span>
        <span>prompt cache: {plan.generation}</span>
        <span>{basisWords(plan)}</span>
      </div>
      <h1>{plan.heading}</h1>
      <p className="lede">{verdict}</p>
      {others.length > 0 && (
        <ul className="planreasons">
          {others.map((reason) => <li key={reason}>{reason}</li>)}
        </ul>
      )}
      <div className="figures6"><PlanFigures plan={plan} /></div>
      <AssumptionForm key={JSON.stringify(given)} given={given} plan={plan} />
      {plan.unit === null ? <NoKey plan={plan} /> : <KeysPart plan={plan} />}
      <div className="half sec">
        <UnitsPart plan={plan} />
        <RulesPart plan={plan} />
      </div>
      <Acts plan={plan} given={given} />
    </div>
  );
}

/** "from 168 hours to 26 Nov 13:00 UTC and the minutes of 24 Nov" */
function basisWords({ hours, minutes }: SeriesKeyPlan): string {
  if (hours === null) return "no hour was read yet";
  const from = `from the 168 hours to ${formatHour(hours.end)} UTC`;
  return minutes === null ? `${from}; no day was read by the minute` : `${from}, and by the minute from ${formatHour(minutes.start)} to ${formatHour(minutes.end)} UTC`;
}

function KeysPart({ plan }: { plan: SeriesKeyPlan }) {
  const { keys, code, derivation, rules } = plan;
  const title = keys.length === 1 ? `One key per ${unitWord(plan)}` : `${formatCount(keys.length)} keys, and each id always has the same one`;
  return (
    <Section title={title} how={`at most ${rules.longest_key} characters, hashes alone`} id="keys">
      <ul className="keylist">
        {shownKeys(keys).map((key) => <li key={key}>{key === "..." ? <span className="soft">and so on</span> : <code>{key}</code>}</li>)}
      </ul>
      <p className="note">
        Braces stand for hashes, so a key carries nothing of a prompt or an id. Equal text gives an equal key; a changed prompt or other tools
        give another one. Where there is nothing to key the function gives an empty text: then send none.
      </p>
      {code && derivation && (
        <div className="plancode">
          <CodeSamples
            samples={[
              { label: "Python", code: code.python, helper: derivation.python },
              { label: "Node", code: code.node, helper: derivation.node },
              { label: "Plain HTTP", code: code.http, helper: derivation.http },
            ]}
          />
        </div>
      )}
    </Section>
  );
}

function unitWord({ unit }: SeriesKeyPlan): string {
  return unit === null ? "" : UNIT_WORDS[unit].toLowerCase();
}

function NoKey({ plan }: { plan: SeriesKeyPlan }) {
  return (
    <Section title="No key is planned" how="keys and code">
      <p className="soft keywords">
        {plan.key_improves_routing
          ? "To see the keys and the code all the same, choose above what one key is to stand for."
          : "Find out first who sends keys today: SDKs and gateways make one per run or conversation. To see the code all the same, choose above what one key is to stand for."}
      </p>
    </Section>
  );
}

function Acts({ plan, given }: { plan: SeriesKeyPlan; given: Assumptions }) {
  const query = new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)])).toString();
  const json = `/key-plan${plan.series_path.replace(/^\/series/, "")}.json${query === "" ? "" : `?${query}`}`;
  return (
    <div className="acts-row sec">
      {plan.unit === null ? (
        <Link className="btn" to={`${plan.series_path}#repair`}>Back to the repair list</Link>
      ) : (
        <Link className="btn" to={`${plan.series_path}#markers`}>Mark it on the series once it shipped</Link>
      )}
      <a href={json}>JSON</a>
      {plan.keys_sent && <span className="soft">{plural(plan.keys_sent.distinct, "key is", "keys are")} sent today</span>}
    </div>
  );
}
