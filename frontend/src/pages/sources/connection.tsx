import { useState } from "react";

import type { ScopeState, Source } from "../../api/types";
import { Fact } from "../../ui/fact";
import { Mark } from "../../ui/mark";
import { Section } from "../../ui/section";
import { plural } from "../../lib/format";
import { formatAgo, formatDate } from "../../lib/time";
import { useNow } from "../../lib/use-now";

import { ConnectionActions } from "./connection-actions";
import { connectionHeading, groupingWords, keyWords, refusedWords } from "./connection-words";
import { EditForm } from "./edit-form";
import { KeyForm } from "./key-form";
import { REJECTS_ID } from "./rejects-id";

/** The connection of one source: key, scopes, grouping, and what can be done about it. */
export function ConnectionPart({ source }: { source: Source }) {
  const { can } = source;
  return (
    <Section title={connectionHeading(source)}>
      {source.problem && (
        <p className="problem">
          <Mark kind="bad">{source.problem}</Mark>
          {source.rejected_rows_7d > 0 && (
            <>
              {" "}
              <a href={`#${REJECTS_ID}`}>Rejected values</a>
            </>
          )}
        </p>
      )}
      <dl className="kv facts">
        <KeyFact source={source} mayChange={can.admin} />
        <Fact name="Usage scope">
          <Scope name="api.usage.read" state={source.scopes.usage} needed />
        </Fact>
        <Fact name="Names scope">
          <Scope name="api.management.read" state={source.scopes.management} />
          <span className="sub">for project and key names; optional</span>
        </Fact>
        <Fact name="Grouping">
          {groupingWords(source)}
          {refusedWords(source) && <span className="sub">{refusedWords(source)}</span>}
        </Fact>
        <OtherFacts source={source} />
      </dl>
      <ConnectionActions source={source} />
      {can.admin && <EditForm key={`${source.name} ${source.settle_minutes}`} source={source} />}
    </Section>
  );
}

function OtherFacts({ source }: { source: Source }) {
  const now = useNow();
  return (
    <>
      <Fact name="Address">
        <code>{source.base_url}</code>
      </Fact>
      <Fact name="Oldest hour">
        {source.lookback ? `${formatDate(source.lookback)}, older hours are refused` : `not refused yet; history of ${plural(source.backfill_days, "day")} is asked for`}
      </Fact>
      <Fact name="Settle time">{plural(source.settle_minutes, "minute")} after an hour ends</Fact>
      <Fact name="Last tested">{source.probed_at ? formatAgo(source.probed_at, now) : "never"}</Fact>
    </>
  );
}

function Scope({ name, state, needed = false }: { name: string; state: ScopeState; needed?: boolean }) {
  if (state === "granted") return <Mark kind="okk">{name}</Mark>;
  if (state === "missing") return <Mark kind={needed ? "bad" : "warn"}>{name} is missing</Mark>;
  return <span className="soft">{name}, not known</span>;
}

function KeyFact({ source, mayChange }: { source: Source; mayChange: boolean }) {
  const [asked, setAsked] = useState(false);
  const broken = source.key.state === "unreadable" || source.key.state === "missing";
  const replaceable = mayChange && source.key.state !== "variable" && source.kind !== "demo";
  return (
    <Fact name="Admin key">
      {source.key.hint && (
        <>
          <code>{source.key.hint}</code>,{" "}
        </>
      )}
      {keyWords(source.key)}.{" "}
      {replaceable && !broken && !asked && (
        <button className="linkbtn" type="button" onClick={() => setAsked(true)}>
          Replace
        </button>
      )}
      {replaceable && (broken || asked) && <KeyForm slug={source.slug} onDone={() => setAsked(false)} />}
    </Fact>
  );
}
