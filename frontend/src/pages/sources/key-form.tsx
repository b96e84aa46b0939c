import { useRef, useState, type SubmitEvent } from "react";

import { updateSource } from "../../api/sources";
import { Field } from "../../ui/field";
import { adminKeyProblem } from "../../lib/admin-key";

import { useSourceMutation } from "./use-source-mutation";

/** A new admin key for a source; the server tests it before it is stored. */
export function KeyForm({ slug, onDone }: { slug: string; onDone: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const replace = useSourceMutation((admin_key: string) => updateSource(slug, { admin_key }), () => "Admin key replaced");
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = field.current?.value ?? "";
    const found = adminKeyProblem(key);
    setProblem(found);
    if (found !== null) field.current?.focus();
    else replace.mutate(key.trim(), { onSuccess: onDone, onError: () => field.current?.focus() });
  };
  return (
    <form className="form" onSubmit={submit}>
      <Field label="New admin key" error={problem ?? replace.error?.message}>
        {(attributes) => <input {...attributes} ref={field} className="mono" type="password" placeholder="sk-admin-..." autoComplete="off" />}
      </Field>
      <div className="row">
        <button className="btn pri" type="submit" disabled={replace.isPending}>
          Test and replace key
        </button>
      </div>
    </form>
  );
}
