import { useRef, type SubmitEvent } from "react";

import { updateSource } from "../../api/sources";
import type { Source } from "../../api/types";
import { Field } from "../../ui/field";
import { fieldError, FormError } from "../../ui/form-error";

import { useSourceMutation } from "./use-source-mutation";

/** Another name or settle time for a source. */
export function EditForm({ source }: { source: Source }) {
  const name = useRef<HTMLInputElement>(null);
  const settle = useRef<HTMLInputElement>(null);
  const change = useSourceMutation(
    (body: { name: string; settle_minutes: number }) => updateSource(source.slug, body),
    (answer) => `${answer.name} saved; verdicts follow the new settle time`,
  );
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate({ name: name.current?.value.trim() ?? "", settle_minutes: Number(settle.current?.value) });
  };
  return (
    <details className="asTable">
      <summary>Change name or settle time</summary>
      <form className="form" onSubmit={submit}>
        <Field label="Name" error={fieldError(change.error, "name")}>
          {(attributes) => <input {...attributes} ref={name} type="text" defaultValue={source.name} maxLength={200} required />}
        </Field>
        <Field label="Settle time, minutes" error={fieldError(change.error, "settle_minutes")} hint="How long after its end an hour may still change before it counts.">
          {(attributes) => <input {...attributes} ref={settle} type="number" min={0} defaultValue={source.settle_minutes} required />}
        </Field>
        <FormError error={change.error} fields={["name", "settle_minutes"]} />
        <div className="row">
          <button className="btn" type="submit" disabled={change.isPending}>
            Save name and settle time
          </button>
        </div>
      </form>
    </details>
  );
}
