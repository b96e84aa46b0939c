import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState, type SubmitEvent } from "react";
import { Link } from "react-router";

import { MARKERS_KEY } from "../../api/markers";
import { decideReadout, READOUTS_KEY, reopenReadout } from "../../api/readouts";
import type { Outcome, ReadoutDetail } from "../../api/types";
import { CopyButton } from "../../ui/copy-button";
import { Field } from "../../ui/field";
import { fieldError, FormError } from "../../ui/form-error";
import { Section } from "../../ui/section";
import { announce } from "../../lib/announce";
import { formatHour } from "../../lib/time";

const OUTCOMES: readonly { outcome: Outcome; word: string; means: string }[] = [
  { outcome: "works", word: "It works", means: "the repair stays" },
  { outcome: "does-not-work", word: "It does not work", means: "another repair is needed" },
  { outcome: "inconclusive", word: "It stays open", means: "these numbers do not settle it" },
];

function heading({ decision, state }: ReadoutDetail): string {
  if (decision) return `Decided: ${decision.outcome_word}`;
  return state === "collecting" ? "Nothing to decide yet" : "What it means is yours to decide";
}

/** What it is worth, what a person made of it, and the same as evidence to paste elsewhere. */
export function DecisionPart({ readout }: { readout: ReadoutDetail }) {
  const { decision } = readout;
  const value = readout.is_claim ? readout.numbers?.value_sentence : null;
  const may = readout.can.annotate;
  return (
    <Section title={heading(readout)} id="decision">
      <p className="soft worth">{value ?? (readout.state === "collecting" ? "No value is claimed while hours are collected." : "No value is claimed without a change that can be told.")}</p>
      {decision && <Decided readout={readout} may={may} />}
      {!decision && may && readout.numbers && <Undecided readout={readout} />}
      {!may && <p className="note">Owners, admins and members can decide on a readout.</p>}
      <Evidence readout={readout} />
    </Section>
  );
}

/** The form; while hours are collected it stays closed. */
function Undecided({ readout }: { readout: ReadoutDetail }) {
  if (readout.state !== "collecting") return <DecisionForm id={readout.id} />;
  return (
    <details className="copied">
      <summary>Decide before it is measured</summary>
      <DecisionForm id={readout.id} />
    </details>
  );
}

function Evidence({ readout }: { readout: ReadoutDetail }) {
  return (
    <>
      <div className="acts-row">
        <CopyButton className="btn" label="Copy as evidence" text={readout.markdown} done="The evidence is on the clipboard, as Markdown" />
        <a href={readout.path}>Permalink</a>
        <a href={`${readout.path}.json`}>JSON</a>
      </div>
      <details className="copied">
        <summary>What is copied</summary>
        <pre className="evid">{readout.markdown}</pre>
      </details>
    </>
  );
}

function useReadoutChange<Input>(change: (input: Input) => Promise<ReadoutDetail>, done: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      announce(done);
      void client.invalidateQueries({ queryKey: READOUTS_KEY });
      void client.invalidateQueries({ queryKey: MARKERS_KEY });
    },
  });
}

function Decided({ readout, may }: { readout: ReadoutDetail; may: boolean }) {
  const reopen = useReadoutChange(() => reopenReadout(readout.id), "The decision was taken back; the readout is measured again");
  const { decision } = readout;
  if (!decision) return null;
  return (
    <>
      <p className="quote">{decision.reason}</p>
      <p className="note">{`${decision.by ?? "Somebody who left"}, ${formatHour(decision.at)} UTC. Frozen with data version ${readout.data_version ?? "N/A"}.`}</p>
      {decision.outcome === "works" && <p className="note"><Link to={{ pathname: readout.series_path, hash: "repair" }}>Resolve the finding of the series</Link></p>}
      <FormError error={reopen.error} fields={[]} />
      {may && <button className="btn" type="button" disabled={reopen.isPending} onClick={() => reopen.mutate(undefined)}>Take the decision back</button>}
    </>
  );
}

function DecisionForm({ id }: { id: number }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [unsaid, setUnsaid] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const decide = useReadoutChange((reason: string) => decideReadout(id, { outcome: outcome ?? "inconclusive", reason }), "The decision is recorded; the readout is frozen");
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setUnsaid(outcome === null);
    const reason = new FormData(event.currentTarget).get("reason");
    if (outcome !== null && typeof reason === "string") decide.mutate(reason.trim());
    else form.current?.querySelector<HTMLElement>("[name=outcome]")?.focus();
  };
  return (
    <form ref={form} className="form decide" onSubmit={submit} aria-label="Decide on this readout">
      <Outcomes chosen={outcome} onChoose={setOutcome} problem={unsaid && outcome === null ? "Choose one of the three." : fieldError(decide.error, "outcome")} />
      <Field label="Why" error={fieldError(decide.error, "reason")} hint="The readout is frozen with the numbers it shows now. The decision can be taken back.">
        {(attributes) => <textarea {...attributes} name="reason" rows={2} required maxLength={2000} />}
      </Field>
      <FormError error={decide.error} fields={["outcome", "reason"]} />
      <div className="row"><button className="btn pri" type="submit" disabled={decide.isPending}>Record decision</button></div>
    </form>
  );
}

interface OutcomesProps {
  chosen: Outcome | null;
  onChoose: (outcome: Outcome) => void;
  problem: string | null;
}

function Outcomes({ chosen, onChoose, problem }: OutcomesProps) {
  const name = useId();
  return (
    <fieldset className="ticks">
      <legend>What it means</legend>
      {OUTCOMES.map(({ outcome, word, means }) => (
        <label className="tick" key={outcome}>
          <input type="radio" name="outcome" value={outcome} checked={chosen === outcome} onChange={() => onChoose(outcome)} aria-describedby={problem ? name : undefined} />
          <span>{word} <span className="muted">{means}</span></span>
        </label>
      ))}
      {problem && <p className="lint bad" id={name} role="alert">{problem}</p>}
    </fieldset>
  );
}
