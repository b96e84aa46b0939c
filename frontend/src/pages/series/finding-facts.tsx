import { useState, type ReactNode, type SubmitEvent } from "react";

import type { Person } from "../../api/types";
import { Field } from "../../ui/field";
import { fieldError } from "../../ui/form-error";

import type { FindingPart } from "./finding-section";

/** Who has the finding, and the choice of somebody else. */
export function OwnerFact({ finding: { owner, version }, people, canWrite, error, isPending, act, own, problem }: FindingPart & { people: readonly Person[]; canWrite: boolean }) {
  const [chosen, setChosen] = useState(String(owner?.id ?? ""));
  return (
    <Fact
      name="Owner"
      value={owner ? owner.name : <span className="muted">No owner</span>}
      change={owner ? "Change owner" : "Assign an owner"}
      version={version}
      own={own}
      problem={problem}
      canWrite={canWrite}
      isPending={isPending}
      onOpen={() => setChosen(String(owner?.id ?? ""))}
      onSave={(saving) => act({ body: { owner_id: chosen === "" ? null : Number(chosen) }, done: "The owner is saved", ...saving })}
    >
      <Field label="Owner" error={fieldError(error, "owner_id")}>
        {(attributes) => (
          <select {...attributes} autoFocus value={chosen} onChange={(event) => setChosen(event.target.value)}>
            <option value="">No owner</option>
            {people.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
          </select>
        )}
      </Field>
    </Fact>
  );
}

/** Where the team tracks the work. */
export function TrackerFact({ finding: { tracker, version }, canWrite, error, isPending, act, own, problem }: FindingPart & { canWrite: boolean }) {
  const [link, setLink] = useState(tracker);
  if (tracker === "" && !canWrite) return null;
  return (
    <Fact
      name="Tracker"
      value={tracker === "" ? <span className="muted">No link</span> : <a href={tracker} rel="noreferrer">{linkWords(tracker)}</a>}
      change={tracker === "" ? "Add a link" : "Change link"}
      version={version}
      own={own}
      problem={problem}
      canWrite={canWrite}
      isPending={isPending}
      onOpen={() => setLink(tracker)}
      onSave={(saving) => act({ body: { tracker: link }, done: "The link is saved", ...saving })}
    >
      <Field label="Link to your tracker" error={fieldError(error, "tracker")}>
        {(attributes) => <input {...attributes} type="url" autoFocus placeholder="https://" maxLength={1000} value={link} onChange={(event) => setLink(event.target.value)} />}
      </Field>
    </Fact>
  );
}

/** The last part of an address, which mostly is the ticket: RAG-12. */
function linkWords(address: string): string {
  return address.split(/[/?#]/).findLast((part) => part !== "") ?? address;
}

interface FactProps {
  name: string;
  value: ReactNode;
  /** What the button that opens the field says. */
  change: string;
  /** Of the finding, as shown now. */
  version: number;
  canWrite: boolean;
  isPending: boolean;
  own: FindingPart["own"];
  problem: FindingPart["problem"];
  onOpen: () => void;
  /** Saves on the version that stood here when the field was opened, or what this page made of it since; `saved` closes it. */
  onSave: (saving: { seen: number; form: string; saved: () => void }) => void;
  children: ReactNode;
}

/** A value with its field behind a button. */
function Fact({ name, value, change, version, canWrite, isPending, own, problem, onOpen, onSave, children }: FactProps) {
  const [open, setOpen] = useState(false);
  const [opened, setOpened] = useState(version);
  const seen = own.newest(opened);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSave({ seen, form: name, saved: () => setOpen(false) });
  };
  const show = () => {
    onOpen();
    setOpened(version);
    setOpen(true);
  };
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {!open && <span className="factline">{value}{canWrite && <button className="linkbtn" type="button" onClick={show}>{change}</button>}</span>}
        {open && (
          <form className="form" onSubmit={submit}>
            {children}
            {seen !== version && <p className="sub">The finding was changed meanwhile; here stands now: {value}</p>}
            <div className="row">
              <button className="btn" type="submit" disabled={isPending}>{`Save ${name.toLowerCase()}`}</button>
              <button className="linkbtn" type="button" onClick={() => setOpen(false)}>Cancel</button>
            </div>
            {problem(name)}
          </form>
        )}
      </dd>
    </>
  );
}
