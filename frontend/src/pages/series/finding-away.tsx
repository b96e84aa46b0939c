import { useState, type ReactNode, type SubmitEvent, type ToggleEvent } from "react";

import { Field } from "../../ui/field";
import { fieldError } from "../../ui/form-error";
import { DAY_MS, formatDate } from "../../lib/time";
import { useNow } from "../../lib/use-now";

import type { FindingPart } from "./finding-section";

/** The longest time a finding can be accepted for, days. */
const LONGEST_DAYS = 366;
const ACCEPT = "Accept until a day";
const HAND_OFF = "Hand off";
/** The forms here, which are away once the finding is put aside. */
export const AWAY_FORMS: readonly string[] = [ACCEPT, HAND_OFF];

/** The ways to put a finding aside: accepted until a day with a reason, or handed off to somebody else. */
export function FindingAway(part: FindingPart) {
  return (
    <>
      <Opened title={ACCEPT} version={part.finding.version}>{(seen) => <AcceptForm {...part} seen={part.own.newest(seen)} />}</Opened>
      <Opened title={HAND_OFF} version={part.finding.version}>{(seen) => <HandOffForm {...part} seen={part.own.newest(seen)} />}</Opened>
    </>
  );
}

/** A form behind its title, which is told the version that was shown when it was opened. */
function Opened({ title, version, children }: { title: string; version: number; children: (seen: number) => ReactNode }) {
  const [seen, setSeen] = useState(version);
  const onToggle = ({ currentTarget }: ToggleEvent<HTMLDetailsElement>) => {
    if (currentTarget.open) setSeen(version);
  };
  return (
    <details onToggle={onToggle}>
      <summary>{title}</summary>
      {children(seen)}
    </details>
  );
}

interface AwayFormProps extends FindingPart {
  seen: number;
}

function AcceptForm({ seen, error, isPending, act, problem }: AwayFormProps) {
  const now = useNow().getTime();
  const [reason, setReason] = useState("");
  const [until, setUntil] = useState("");
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    act({ body: { state: "accepted", reason, accepted_until: until === "" ? null : until }, done: until === "" ? "Accepted" : `Accepted until ${formatDate(until)}`, seen, form: ACCEPT });
  };
  return (
    <form className="form" onSubmit={submit} noValidate aria-label={ACCEPT}>
      <Field label="Why it is accepted" error={fieldError(error, "reason")}>
        {(attributes) => <textarea {...attributes} rows={2} maxLength={5000} value={reason} onChange={(event) => setReason(event.target.value)} />}
      </Field>
      <Field label="Until (UTC)" error={fieldError(error, "accepted_until")} hint="New again after this day.">
        {(attributes) => <input {...attributes} type="date" min={dayText(now + DAY_MS)} max={dayText(now + LONGEST_DAYS * DAY_MS)} value={until} onChange={(event) => setUntil(event.target.value)} />}
      </Field>
      <div className="row"><button className="btn" type="submit" disabled={isPending}>Accept finding</button></div>
      {problem(ACCEPT)}
    </form>
  );
}

function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function HandOffForm({ seen, error, isPending, act, problem }: AwayFormProps) {
  const [to, setTo] = useState("");
  const [reason, setReason] = useState("");
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    act({ body: { state: "handed-off", handed_to: to, reason }, done: `Handed off to ${to}`, seen, form: HAND_OFF });
  };
  return (
    <form className="form" onSubmit={submit} noValidate aria-label={HAND_OFF}>
      <Field label="To whom" error={fieldError(error, "handed_to")}>
        {(attributes) => <input {...attributes} type="text" maxLength={200} placeholder="Team or person" value={to} onChange={(event) => setTo(event.target.value)} />}
      </Field>
      <Field label="Why (optional)">
        {(attributes) => <textarea {...attributes} rows={2} maxLength={5000} value={reason} onChange={(event) => setReason(event.target.value)} />}
      </Field>
      <div className="row"><button className="btn" type="submit" disabled={isPending}>Hand off finding</button></div>
      {problem(HAND_OFF)}
    </form>
  );
}
