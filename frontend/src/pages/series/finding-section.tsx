import { Fragment, useRef, type ReactNode } from "react";

import { changeFinding } from "../../api/findings";
import type { Finding, FindingChanges, FindingState, Person } from "../../api/types";
import { formatDay } from "../../lib/time";

import { AWAY_FORMS, FindingAway } from "./finding-away";
import { useWorkChange } from "./finding-change";
import { OwnerFact, TrackerFact } from "./finding-facts";
import { FindingProblem } from "./finding-problem";
import type { OwnVersions } from "./own-versions";
import { useFasterWords } from "./use-faster-words";

interface FindingSectionProps {
  finding: Finding;
  people: readonly Person[];
  canWrite: boolean;
  own: OwnVersions;
}

/** What is sent, and what is said once it is saved. */
export interface FindingAction {
  body: FindingChanges;
  done: string;
  /** The version that stood here when the form was opened; without one it is the version shown now. */
  seen?: number;
  /** The form it was sent from, where a refusal is said; without one it is said below all. */
  form?: string;
  saved?: () => void;
}

/** Fields whose refusals stand under them. */
const SHOWN = ["reason", "accepted_until", "handed_to", "tracker", "owner_id"];

/** Where the work on a finding stands, who has it, and what can be done with it. */
export function FindingSection({ finding, people, canWrite, own }: FindingSectionProps) {
  const change = useWorkChange(
    ({ body, seen }: FindingAction) => changeFinding(finding.id, { ...body, version: seen ?? finding.version }),
    ({ done }) => done,
    (saved, { seen }) => own.saved(saved, seen ?? saved.version),
  );
  const section = useRef<HTMLElement>(null);
  const toRefused = () => requestAnimationFrame(() => section.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
  const act = (action: FindingAction) => change.mutate({ ...action, seen: action.seen ?? finding.version }, { onSuccess: action.saved, onError: toRefused });
  const tried = change.variables;
  const faster = useFasterWords(finding);
  const problem = (form?: string) =>
    tried?.form === form && tried && <FindingProblem error={change.error} fields={SHOWN} faster={faster} action="Save mine all the same" redo={() => act({ ...tried, seen: finding.version })} />;
  const parts = { finding, error: change.error, isPending: change.isPending, act, own, problem };
  return (
    <section id="finding" aria-labelledby="finding-heading" ref={section}>
      <h2 id="finding-heading">{finding.standing}</h2>
      {finding.cleared_sentence !== null && <p className="cleared">{finding.cleared_sentence}</p>}
      <dl className="kv">
        <dt>State</dt>
        <dd>{finding.state_word}<span className="sub">{`since ${formatDay(finding.state_since)}; opened ${formatDay(finding.opened_at)}`}</span></dd>
        {finding.reason !== "" && <><dt>Reason</dt><dd>{finding.reason}</dd></>}
        <OwnerFact {...parts} people={people} canWrite={canWrite} />
        <TrackerFact {...parts} canWrite={canWrite} />
      </dl>
      {canWrite ? <Moves {...parts} /> : <p className="sub">Owners, admins and members of this source can change what stands here.</p>}
      {problem()}
      {CLOSED.includes(finding.state) && AWAY_FORMS.map((form) => <Fragment key={form}>{problem(form)}</Fragment>)}
    </section>
  );
}

export interface FindingPart {
  finding: Finding;
  error: Error | null;
  isPending: boolean;
  act: (action: FindingAction) => void;
  own: OwnVersions;
  /** Why the last change from this form was refused, and how to save it all the same. */
  problem: (form?: string) => ReactNode;
}

interface Move {
  state: NonNullable<FindingChanges["state"]>;
  action: string;
  done: string;
}

const ACKNOWLEDGE: Move = { state: "acknowledged", action: "Acknowledge finding", done: "The finding is acknowledged" };
const START: Move = { state: "in-progress", action: "Start work", done: "Work has started" };
const RESOLVE: Move = { state: "resolved", action: "Mark finding resolved", done: "The finding is resolved" };
const REOPEN: Move = { state: "acknowledged", action: "Reopen finding", done: "The finding is open again" };

/** What people can do next in each state, the likeliest first. */
const MOVES: Readonly<Record<FindingState, readonly Move[]>> = {
  new: [ACKNOWLEDGE, START, RESOLVE],
  regressed: [ACKNOWLEDGE, START, RESOLVE],
  acknowledged: [START, RESOLVE],
  "in-progress": [RESOLVE],
  shipped: [RESOLVE, START],
  resolved: [REOPEN],
  accepted: [REOPEN],
  "handed-off": [REOPEN],
};
const CLOSED: readonly FindingState[] = ["resolved", "accepted", "handed-off"];

function Moves(part: FindingPart) {
  const { finding, isPending, act } = part;
  const isOpen = !CLOSED.includes(finding.state);
  return (
    <>
      <div className="acts-row">
        {MOVES[finding.state].map(({ state, action, done }, index) => (
          <button key={action} className={index === 0 && isOpen ? "btn pri" : "btn"} type="button" disabled={isPending} onClick={() => act({ body: { state }, done })}>
            {action}
          </button>
        ))}
      </div>
      {isOpen && <p className="sub">A resolved finding reopens as Regressed if it comes back.</p>}
      {isOpen && <FindingAway {...part} />}
    </>
  );
}
