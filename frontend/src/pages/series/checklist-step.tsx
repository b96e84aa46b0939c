import { useId, useState, type ReactNode, type SubmitEvent } from "react";

import type { Step, StepState } from "../../api/types";
import { CodeSamples } from "../../ui/code-samples";
import { CodeWords } from "../../ui/code-words";
import { Field } from "../../ui/field";
import { formatMoment } from "../../lib/time";

import type { StepAction } from "./checklist";

interface ChecklistStepProps {
  step: Step;
  /** More to read about it; null: nothing. */
  more: ReactNode;
  /** The first that waits. */
  isCurrent: boolean;
  canWrite: boolean;
  /** The state that is being saved, shown already; null where nothing is under way. */
  pending: StepState | null;
  onAct: (action: StepAction) => void;
  /** Why the last change of this step was refused. */
  problem: ReactNode;
}

/** What is being written about a step, which stays as it was when the writing began. */
interface Skipping {
  seen: Step;
  reason: string;
}

/** A step with its tick, who ticked it, and under it why and how. */
export function ChecklistStep({ step, more, isCurrent, canWrite, pending, onAct, problem }: ChecklistStepProps) {
  const id = useId();
  const [skipping, setSkipping] = useState<Skipping | null>(null);
  const state = pending ?? step.state;
  const title = <CodeWords text={step.step} />;
  const look = state === "open" ? (isCurrent ? "now" : "soft") : "done";
  return (
    <li aria-current={isCurrent ? "step" : undefined}>
      {canWrite ? (
        <input id={id} type="checkbox" checked={state === "done"} onChange={(event) => onAct({ step, state: event.target.checked ? "done" : "open", reason: "" })} />
      ) : (
        <StateSign state={state} />
      )}
      <div>
        {canWrite ? <label className={look} htmlFor={id}>{title}</label> : <span className={look}>{title}</span>}
        <MarkWords step={step} />
        <StepWords key={isCurrent || skipping ? "open" : "closed"} step={step} isOpen={isCurrent || skipping !== null}>
          {canWrite && (state === "open" || skipping) && <SkipPart step={step} skipping={skipping} onChange={setSkipping} onAct={onAct} />}
        </StepWords>
        {more}
        {canWrite && state === "skipped" && (
          <button className="linkbtn" type="button" onClick={() => onAct({ step, state: "open", reason: "" })}>Open again<span className="vh">{`: ${step.step}`}</span></button>
        )}
        {problem}
      </div>
    </li>
  );
}

const SIGNS: Readonly<Record<StepState, readonly [string, string]>> = { done: ["\u2713", "Done: "], skipped: ["\u2013", "Skipped: "], open: ["\u25cb", "Open: "] };

/** The state of a step for who may not change it: a sign, and a word for screen readers. */
function StateSign({ state }: { state: StepState }) {
  const [sign, word] = SIGNS[state];
  return <span className="marked"><span aria-hidden="true">{sign}</span><span className="vh">{word}</span></span>;
}

/** Who made what of a step, when, and why: "Skipped by Jonas Weber, 21 Nov 11:40 UTC. One template only." */
export function MarkWords({ step: { mark } }: { step: Step }) {
  if (mark === null) return null;
  const did = { done: "", skipped: "Skipped by ", open: "Opened again by " }[mark.state];
  const who = mark.by ?? "somebody who has left";
  return (
    <span className="sub">
      {did}{who}, <time dateTime={mark.at}>{formatMoment(mark.at)} UTC</time>.{mark.reason !== "" && ` ${mark.reason}`}
    </span>
  );
}

/** Why, how, and what the result means, and the way to pass it over; open for the current step and while one is passed over. */
function StepWords({ step, isOpen, children }: { step: Step; isOpen: boolean; children: ReactNode }) {
  return (
    <details className="stepwords" open={isOpen}>
      <summary>Why and how<span className="vh">{`: ${step.step}`}</span></summary>
      <p><CodeWords text={step.why} /></p>
      <p><CodeWords text={step.how} /></p>
      {step.result !== "" && <p><span className="b">Result.</span> <CodeWords text={step.result} /></p>}
      {step.samples.length > 0 && <CodeSamples samples={step.samples} />}
      {children}
    </details>
  );
}

interface SkipPartProps extends Pick<ChecklistStepProps, "step" | "onAct"> {
  skipping: Skipping | null;
  onChange: (skipping: Skipping | null) => void;
}

function SkipPart({ step, skipping, onChange, onAct }: SkipPartProps) {
  if (!skipping) return <button className="linkbtn" type="button" onClick={() => onChange({ seen: step, reason: "" })}>Skip with a reason<span className="vh">{`: ${step.step}`}</span></button>;
  const { seen, reason } = skipping;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onChange(null);
    onAct({ step: seen, state: "skipped", reason });
  };
  return (
    <form className="form" onSubmit={submit}>
      <Field label="Why it is skipped">
        {(attributes) => <textarea {...attributes} rows={2} required maxLength={5000} autoFocus value={reason} onChange={(event) => onChange({ seen, reason: event.target.value })} />}
      </Field>
      <div className="row">
        <button className="btn" type="submit">Skip step</button>
        <button className="linkbtn" type="button" onClick={() => onChange(null)}>Cancel</button>
      </div>
    </form>
  );
}
