import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState, type ReactNode, type SubmitEvent } from "react";
import { Link } from "react-router";

import { ApiError } from "../../api/errors";
import { MARKERS_KEY } from "../../api/markers";
import { decideReadout, READOUTS_KEY, reopenReadout } from "../../api/readouts";
import type { Outcome, ReadoutDetail } from "../../api/types";
import { CopyButton } from "../../ui/copy-button";
import { Field } from "../../ui/field";
import { fieldError, FormError } from "../../ui/form-error";
import { Section } from "../../ui/section";
import { announce } from "../../lib/announce";
import { formatHour } from "../../lib/time";
import { useDraft } from "../../lib/use-draft";

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
  const [refused, setRefused] = useState(false);
  return (
    <Section title={heading(readout)} id="decision">
      <p className="soft worth">{value ?? (readout.state === "collecting" ? "No value is claimed while hours are collected." : "No value is claimed without a change that can be told.")}</p>
      {decision && refused && <p className="lint bad" role="alert">Yours was not recorded: somebody decided meanwhile, as stands here. Your reason is kept in this tab.</p>}
      {decision && <Decided readout={readout} may={may} />}
      {!decision && may && readout.numbers && <Undecided readout={readout}><DecisionForm readout={readout} onRefused={setRefused} /></Undecided>}
      {!may && <p className="note">Owners, admins and members can decide on a readout.</p>}
      <Evidence readout={readout} />
    </Section>
  );
}

/** The form; there is none while hours to come may settle it, and it stays closed where none will. */
function Undecided({ readout: { state, missing_numbers: missing }, children }: { readout: ReadoutDetail; children: ReactNode }) {
  if (state !== "collecting") return children;
  if (missing && (missing.look_again !== null || missing.reason === "hours-to-read")) return null;
  return (
    <details className="copied">
      <summary>Decide without a measurement</summary>
      {children}
    </details>
  );
}

function isStale(error: Error): boolean {
  return error instanceof ApiError && error.status === 409;
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

/** A change of a readout. It is read again also after a refusal because of what somebody else did. */
function useReadoutChange<Input>(change: (input: Input) => Promise<ReadoutDetail>, done: string) {
  const client = useQueryClient();
  const again = () => {
    void client.invalidateQueries({ queryKey: READOUTS_KEY });
    void client.invalidateQueries({ queryKey: MARKERS_KEY });
  };
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      announce(done);
      again();
    },
    onError: (error) => isStale(error) && again(),
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

interface DecisionFormProps {
  readout: ReadoutDetail;
  /** Whether the last try was refused since another decision or other numbers stand. */
  onRefused: (refused: boolean) => void;
}

function DecisionForm({ readout: { id, version }, onRefused }: DecisionFormProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  // What was shown when the outcome was chosen; after a refusal it is what is shown then.
  const [seen, setSeen] = useState<string | null>(null);
  const reason = useDraft(`decision ${id}`, "");
  const [unsaid, setUnsaid] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const send = async (chosen: Outcome) => {
    const decided = await decideReadout(id, { outcome: chosen, reason: reason.value.trim(), version: seen ?? version });
    reason.discard();
    return decided;
  };
  const decide = useReadoutChange(send, "The decision is recorded; the readout is frozen");
  const choose = (chosen: Outcome) => {
    setOutcome(chosen);
    setSeen(version);
  };
  const onError = (error: Error) => {
    if (!isStale(error)) return;
    setSeen(null);
    onRefused(true);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setUnsaid(outcome === null);
    if (outcome !== null) decide.mutate(outcome, { onError, onSuccess: () => onRefused(false) });
    else form.current?.querySelector<HTMLElement>("[name=outcome]")?.focus();
  };
  return (
    <form ref={form} className="form decide" onSubmit={submit} aria-label="Decide on this readout">
      <Outcomes chosen={outcome} onChoose={choose} problem={unsaid && outcome === null ? "Choose one of the three." : fieldError(decide.error, "outcome")} />
      <Field label="Why" error={fieldError(decide.error, "reason")} hint="The readout is frozen with the numbers it shows now. The decision can be taken back.">
        {(attributes) => <textarea {...attributes} name="reason" rows={2} required maxLength={2000} value={reason.value} onChange={(event) => reason.write(event.target.value)} />}
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
