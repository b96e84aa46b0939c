import { Link } from "react-router";

import { useMe } from "../../lib/use-me";

import { PushForm, type PushedKind } from "./push-form";

const SENT: Readonly<Record<PushedKind, string>> = {
  requests:
    "Its gateway, proxy or OpenTelemetry collector sends single requests: POST /api/v1/requests, or OTLP in JSON to /otlp. Their hours are added up here. " +
    "Prompts are never taken, and who sent a request is kept as a hash.",
  buckets: "It sends hours that are added up already: POST /api/v1/buckets.",
};

/** The steps to a source that others push to. */
export function PushSteps({ kind }: { kind: PushedKind }) {
  const { can } = useMe();
  return (
    <ol className="steps">
      <li>
        <div>
          <h2>Name the source</h2>
          <p>For Azure, gateways and everyone without an OpenAI admin key. No key of a provider is needed.</p>
          {can.add_source ? <PushForm kind={kind} /> : <p>Only an owner or an admin of every source can add one.</p>}
        </div>
      </li>
      <li>
        <div>
          <h2>Make a token</h2>
          <p>
            Under <Link to="/settings">Settings</Link>, with the scope <code>push</code>. It can send numbers, and read none.
          </p>
        </div>
      </li>
      <li>
        <div>
          <h2>Let the other system push</h2>
          <p>{SENT[kind]} The page of the source shows the calls.</p>
        </div>
      </li>
    </ol>
  );
}
