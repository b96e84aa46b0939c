import type { SubmitEvent } from "react";
import { useNavigate } from "react-router";

import { createSource } from "../../api/sources";
import type { NewSource } from "../../api/types";
import { Field } from "../../ui/field";
import { fieldError, FormError } from "../../ui/form-error";

import { useSourceMutation } from "./use-source-mutation";

export type PushedKind = "requests" | "buckets";

const NAMES: Readonly<Record<PushedKind, string>> = { requests: "Gateway", buckets: "Hours" };

/** Name and settle time of a source that others push to. */
export function PushForm({ kind }: { kind: PushedKind }) {
  const navigate = useNavigate();
  const create = useSourceMutation(createSource, (source) => {
    void navigate(`/sources?source=${encodeURIComponent(source.slug)}`);
    return `${source.name} is there; it waits for the first push`;
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(readForm(kind, new FormData(event.currentTarget)));
  };
  return (
    <form className="form" method="post" noValidate onSubmit={submit}>
      <Field label="Name" error={fieldError(create.error, "name")} hint="Its short form names the source in every push.">
        {(attributes) => <input {...attributes} type="text" name="name" defaultValue={NAMES[kind]} maxLength={200} />}
      </Field>
      <Field label="Settle time, minutes" error={fieldError(create.error, "settle_minutes")} hint="How long after its end an hour may still change before it counts.">
        {(attributes) => <input {...attributes} type="number" name="settle_minutes" min={0} max={2880} placeholder="60" />}
      </Field>
      <FormError error={create.error} fields={["name", "settle_minutes"]} />
      <div className="row">
        <button className="btn pri" type="submit" disabled={create.isPending}>
          Add source
        </button>
      </div>
    </form>
  );
}

function readForm(kind: PushedKind, form: FormData): NewSource {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const settle = text("settle_minutes");
  return { name: text("name"), kind, settle_minutes: settle === "" ? undefined : Number(settle) };
}
