import { useRef, type SubmitEvent } from "react";

import type { Me } from "../../api/types";
import { Field } from "../../ui/field";
import { fieldError, FormError } from "../../ui/form-error";
import { Section } from "../../ui/section";

import { useMyChange } from "./use-my-change";

/** A first or a new password for the sign-in page. */
export function PasswordPart({ me }: { me: Me }) {
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const change = useMyChange("Password saved; other sessions were signed out", () => form.current?.reset());
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate({ password: field.current?.value ?? "" }, { onError: () => field.current?.focus() });
  };
  return (
    <Section title={me.has_password ? "Your password is set" : "You have no password yet"}>
      <p className="soft">
        {me.has_password
          ? "A new one ends every other session of yours."
          : "Without one you sign in by one-time links only. Set one to use the sign-in page."}
      </p>
      <form ref={form} className="form" method="post" onSubmit={submit}>
        <span className="vh" aria-hidden="true">
          <input type="text" name="username" autoComplete="username" defaultValue={me.email} readOnly tabIndex={-1} />
        </span>
        <Field label="New password" error={fieldError(change.error, "password")} hint="10 characters or more.">
          {(attributes) => <input {...attributes} ref={field} type="password" name="password" autoComplete="new-password" minLength={10} required />}
        </Field>
        <FormError error={change.error} fields={["password"]} />
        <div className="row">
          <button className="btn" type="submit" disabled={change.isPending}>
            Save password
          </button>
        </div>
      </form>
    </Section>
  );
}
