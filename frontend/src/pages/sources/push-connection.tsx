import { Link } from "react-router";

import type { Source } from "../../api/types";
import { CodeSamples } from "../../ui/code-samples";
import { Fact } from "../../ui/fact";
import { Mark } from "../../ui/mark";
import { Section } from "../../ui/section";
import { plural } from "../../lib/format";
import { formatAgo } from "../../lib/time";
import { useNow } from "../../lib/use-now";

import { EditForm } from "./edit-form";
import { PauseButton } from "./connection-actions";
import { pushHeading, pushWords } from "./push-words";
import { pushSamples } from "./push-samples";
import { RemoveButton } from "./remove-button";

/** The connection of a source that others push to: where they send, with which token, what is kept. */
export function PushConnection({ source }: { source: Source }) {
  const { can } = source;
  const now = useNow();
  const samples = pushSamples(source, window.location.origin, now);
  return (
    <Section title={pushHeading(source)}>
      {source.problem && (
        <p className="problem">
          <Mark kind="bad">{source.problem}</Mark>
        </p>
      )}
      <dl className="kv facts">
        <Facts source={source} />
      </dl>
      {samples.length > 0 && (
        <div className="asTable">
          <CodeSamples samples={samples} />
        </div>
      )}
      <div className="acts-row">
        {can.admin && (
          <>
            <PauseButton source={source} />
            <RemoveButton source={source} />
          </>
        )}
      </div>
      {!can.admin && <p className="note">Only an owner or an admin of this source can change it.</p>}
      {can.admin && <EditForm key={`${source.name} ${source.settle_minutes}`} source={source} />}
    </Section>
  );
}

function Facts({ source }: { source: Source }) {
  const now = useNow();
  const { path, kept, settled } = pushWords(source);
  const counted = source.last_run?.finished_at;
  return (
    <>
      <Fact name="Address">
        <code>{`${window.location.origin}${path}`}</code>
      </Fact>
      <Fact name="Token">
        with the scope <code>push</code>, made under <Link to="/settings">Settings</Link> by an admin of this source
        <span className="sub">no key of a provider is needed or kept</span>
      </Fact>
      <Fact name="Kept">{kept}</Fact>
      <Fact name="Settle time">
        {plural(source.settle_minutes, "minute")} after an hour ends
        <span className="sub">{settled}</span>
      </Fact>
      <Fact name="Rejected rows">are told to who sent them, with the reason, counted in the runs, and not kept</Fact>
      <Fact name="Last counted">{counted ? formatAgo(counted, now) : "nothing was pushed yet"}</Fact>
    </>
  );
}
