import { Link, useSearchParams } from "react-router";

import { usePageTitle } from "../../lib/use-page-title";
import { useMe } from "../../lib/use-me";

import { ConnectSteps } from "./connect-steps";
import type { PushedKind } from "./push-form";
import { PushSteps } from "./push-steps";

const HEADINGS = {
  openai: "Connect an OpenAI organization",
  requests: "Take requests from a gateway",
  buckets: "Take hourly buckets from another system",
} as const;
type Kind = keyof typeof HEADINGS;
const TABS: readonly { kind: Kind; label: string }[] = [
  { kind: "openai", label: "OpenAI organization" },
  { kind: "requests", label: "Requests of a gateway" },
  { kind: "buckets", label: "Hourly buckets" },
];

/** A further source, of the kind that the address says. */
export function NewSourcePage() {
  const kind = useKind();
  usePageTitle(HEADINGS[kind]);
  const { demo } = useMe();
  return (
    <>
      <p className="crumb">
        <Link to="/sources">Sources</Link>
        <span>/</span>
        <span>New</span>
      </p>
      <h1>{HEADINGS[kind]}</h1>
      {demo && <p className="lede">The first source of your own pauses the demo; its pages stay, marked as demo data.</p>}
      <KindTabs current={kind} />
      {kind === "openai" ? <ConnectSteps withDemo={false} /> : <PushSteps key={kind} kind={kind satisfies PushedKind} />}
    </>
  );
}

/** The choice between the kinds of sources. */
export function KindTabs({ current }: { current: Kind }) {
  return (
    <nav className="tabs" aria-label="Kind of source">
      {TABS.map(({ kind, label }) => (
        <Link key={kind} to={kind === "openai" ? "/sources/new" : `/sources/new?kind=${kind}`} aria-current={kind === current ? "true" : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

function useKind(): Kind {
  const asked = useSearchParams()[0].get("kind");
  return TABS.find(({ kind }) => kind === asked)?.kind ?? "openai";
}
