import type { SubmitEvent } from "react";

import type { Me } from "../../api/types";
import { Field } from "../../ui/field";
import { fieldError, FormError } from "../../ui/form-error";
import { Section } from "../../ui/section";

import { formText } from "./form-text";
import { useMyChange } from "./use-my-change";

/** Name, role and shortcuts. */
export function ProfilePart({ me }: { me: Me }) {
  const rename = useMyChange("Name saved");
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    rename.mutate({ name: formText(new FormData(event.currentTarget), "name") });
  };
  return (
    <Section title="You">
      <dl className="kv facts">
        <dt>E-mail</dt>
        <dd>{me.email}</dd>
        <dt>Role</dt>
        <dd>{me.role}</dd>
        <dt>Sources</dt>
        <dd>{me.source_slugs === null ? "every source" : me.source_slugs.join(", ") || "none"}</dd>
      </dl>
      <form className="form" onSubmit={submit}>
        <Field label="Name" error={fieldError(rename.error, "name")}>
          {(attributes) => <input {...attributes} type="text" name="name" defaultValue={me.name} maxLength={200} autoComplete="name" />}
        </Field>
        <FormError error={rename.error} fields={["name"]} />
        <div className="row">
          <button className="btn" type="submit" disabled={rename.isPending}>
            Save name
          </button>
        </div>
      </form>
      <ShortcutSwitch me={me} />
    </Section>
  );
}

function ShortcutSwitch({ me }: { me: Me }) {
  const change = useMyChange(me.shortcuts_on ? "Keyboard shortcuts are off" : "Keyboard shortcuts are on");
  return (
    <>
      <label className="tick">
        <input type="checkbox" checked={me.shortcuts_on} disabled={change.isPending} onChange={() => change.mutate({ shortcuts_on: !me.shortcuts_on })} />
        Keyboard shortcuts
      </label>
      <FormError error={change.error} fields={[]} />
    </>
  );
}
