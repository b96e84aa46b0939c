import { useRef, type SubmitEvent } from "react";

import { addMember } from "../../api/members";
import type { Role } from "../../api/types";
import { Field } from "../../ui/field";
import { fieldError, FormError } from "../../ui/form-error";

import { formText } from "./form-text";
import type { FreshLink } from "./members";
import { ROLES } from "./roles";
import { chosenSources, SourceChoice } from "./source-choice";
import { useAccountMutation } from "./use-account-mutation";

/** Adds a person; what comes back is a one-time link. */
export function MemberForm({ onLink }: { onLink: (link: FreshLink) => void }) {
  const form = useRef<HTMLFormElement>(null);
  const add = useAccountMutation(addMember, null, true);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    add.mutate(readForm(new FormData(event.currentTarget)), {
      onSuccess: ({ member, sign_in_url }) => {
        onLink({ email: member.email, url: sign_in_url });
        form.current?.reset();
      },
      onError: () => form.current?.querySelector<HTMLElement>("[name=email]")?.focus(),
    });
  };
  return (
    <form ref={form} className="form inline" onSubmit={submit} aria-label="Add a member">
      <h3>Add a member</h3>
      <Field label="E-mail" error={fieldError(add.error, "email")}>
        {(attributes) => <input {...attributes} type="email" name="email" required autoComplete="off" />}
      </Field>
      <Field label="Role" error={fieldError(add.error, "role")}>
        {(attributes) => (
          <select {...attributes} name="role" defaultValue="member">
            {ROLES.map(({ role, word, may }) => (
              <option key={role} value={role}>
                {word}: {may}
              </option>
            ))}
          </select>
        )}
      </Field>
      <SourceChoice />
      <FormError error={add.error} fields={["email", "role"]} />
      <div className="row">
        <button className="btn pri" type="submit" disabled={add.isPending}>
          Add member
        </button>
      </div>
    </form>
  );
}

function readForm(form: FormData) {
  return { email: formText(form, "email"), role: formText(form, "role") as Role, source_slugs: chosenSources(form) };
}
