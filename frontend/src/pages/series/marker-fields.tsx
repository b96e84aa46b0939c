import type { ReactElement } from "react";

import { Field } from "../../ui/field";
import { fieldError } from "../../ui/form-error";
import type { MarkerDraft } from "../../lib/marker-form";
import { GRANULARITY_WORDS, keyExample, MARKER_KINDS, MODE_WORDS, RETENTION_WORDS, type ParticularName } from "../../lib/markers";

interface ParticularFieldsProps {
  draft: MarkerDraft;
  error: Error | null;
  /** The name of the series' project, for the example of a key. */
  project: string;
  onChange: (particulars: MarkerDraft["particulars"]) => void;
}

interface Asked {
  value: string;
  onChange: (event: { target: { value: string } }) => void;
}

interface Place {
  project: string;
}

interface Question {
  label: string;
  hint?: string;
  control: (asked: Asked, attributes: object, place: Place) => ReactElement;
}

/** What the kind of marker asks for beside its time. */
export function ParticularFields({ draft, error, project, onChange }: ParticularFieldsProps) {
  const { asks, changeLabel } = MARKER_KINDS[draft.kind];
  return asks.map((name) => {
    const question = QUESTIONS[name];
    const asked: Asked = {
      value: draft.particulars[name],
      onChange: (event) => onChange({ ...draft.particulars, [name]: event.target.value }),
    };
    return (
      <Field key={name} label={name === "change" ? (changeLabel ?? question.label) : question.label} error={fieldError(error, `particulars.${name}`)} hint={question.hint}>
        {(attributes) => question.control(asked, attributes, { project })}
      </Field>
    );
  });
}

function choice(words: Readonly<Record<string, string>>): Question["control"] {
  return function Choice(asked, attributes) {
    return (
      <select {...attributes} {...asked}>
        <option value="">not said</option>
        {Object.entries(words).map(([value, word]) => <option key={value} value={value}>{word}</option>)}
      </select>
    );
  };
}

function text(placeholder: string): Question["control"] {
  return function Text(asked, attributes) {
    return <input {...attributes} {...asked} type="text" maxLength={200} placeholder={placeholder} />;
  };
}

function count(most: number): Question["control"] {
  return function Count(asked, attributes) {
    return <input {...attributes} {...asked} type="number" min={1} max={most} step={1} inputMode="numeric" />;
  };
}

const QUESTIONS: Readonly<Record<ParticularName, Question>> = {
  key: {
    label: "Key name or shape, never a real value",
    control: (asked, attributes, { project }) => <input {...attributes} {...asked} className="mono" type="text" placeholder={keyExample(project)} autoComplete="off" spellCheck={false} />,
  },
  granularity: { label: "One key for each", control: choice(GRANULARITY_WORDS) },
  units_at_peak: { label: "How many of them are active in the busiest minute", hint: "Tenants, conversations or templates; leave empty if not known.", control: count(10_000_000) },
  shards: { label: "Shards: keys that one of them is spread over", hint: "Empty: one.", control: count(1_000) },
  position: { label: "Where the breakpoint stands", control: text("after the tool block") },
  mode: { label: "Mode", control: choice(MODE_WORDS) },
  change: { label: "What changed", control: text("") },
  retention: { label: "Entries are now kept", control: choice(RETENTION_WORDS) },
};
