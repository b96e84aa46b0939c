import { useRef, useState, type SubmitEvent } from "react";

import { createToken } from "../../api/members";
import type { TokenScope } from "../../api/types";
import { Field } from "../../ui/field";
import { fieldError, FormError } from "../../ui/form-error";

import { formText } from "./form-text";
import { useAccountMutation } from "./use-account-mutation";

const SCOPES: readonly { scope: TokenScope; may: string }[] = [
  { scope: "read", may: "read every answer" },
  { scope: "annotate", may: "write notes and marks" },
  { scope: "push", may: "push requests and hours, and nothing else" },
  { scope: "ingest", may: "push, send and delete logs, start runs and backfills" },
  { scope: "admin", may: "change sources and thresholds" },
];

const EXPIRIES = [30, 90, 365] as const;

/** Makes a token with the scopes ticked; it comes back in clear once. */
export function TokenForm({ onToken }: { onToken: (token: string) => void }) {
  const form = useRef<HTMLFormElement>(null);
  const [noScope, setNoScope] = useState(false);
  const make = useAccountMutation(createToken, null, true);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = readForm(new FormData(event.currentTarget));
    setNoScope(body.scopes.length === 0);
    if (body.scopes.length === 0) return;
    make.mutate(body, {
      onSuccess: ({ token }) => {
        onToken(token);
        form.current?.reset();
      },
      onError: () => form.current?.querySelector<HTMLElement>("[name=name]")?.focus(),
    });
  };
  return (
    <form ref={form} className="form inline" onSubmit={submit} aria-label="Make a token">
      <h3>Make a token</h3>
      <Field label="Name" error={fieldError(make.error, "name")}>
        {(attributes) => <input {...attributes} type="text" name="name" required maxLength={200} placeholder="nightly report" />}
      </Field>
      <Field label="Expires" error={fieldError(make.error, "expires_in_days")}>
        {(attributes) => (
          <select {...attributes} name="days" defaultValue={90}>
            {EXPIRIES.map((days) => (
              <option key={days} value={days}>
                after {days} days
              </option>
            ))}
            <option value="">never</option>
          </select>
        )}
      </Field>
      <ScopeTicks problem={noScope ? "Tick at least one scope." : fieldError(make.error, "scopes")} />
      <FormError error={make.error} fields={["name", "expires_in_days", "scopes"]} />
      <div className="row">
        <button className="btn pri" type="submit" disabled={make.isPending}>
          Make token
        </button>
      </div>
    </form>
  );
}

function ScopeTicks({ problem }: { problem: string | null }) {
  return (
    <fieldset className="ticks">
      <legend>Scopes</legend>
      {SCOPES.map(({ scope, may }) => (
        <label className="tick" key={scope}>
          <input type="checkbox" name="scope" value={scope} defaultChecked={scope === "read"} />
          <span>
            {scope} <span className="muted">{may}</span>
          </span>
        </label>
      ))}
      {problem && (
        <p className="lint bad" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

function readForm(form: FormData) {
  const days = formText(form, "days");
  const ticked = form.getAll("scope");
  return {
    name: formText(form, "name"),
    scopes: SCOPES.map(({ scope }) => scope).filter((scope) => ticked.includes(scope)),
    expires_in_days: days === "" ? null : Number(days),
  };
}
