import { useRef, useState, type SubmitEvent } from "react";
import { useNavigate } from "react-router";

import { ApiError } from "../../api/errors";
import { createSource } from "../../api/sources";
import type { NewSource } from "../../api/types";
import { Field } from "../../ui/field";
import { fieldError, FormError } from "../../ui/form-error";
import { adminKeyProblem } from "../../lib/admin-key";

import { HISTORY_CHOICES } from "./history-choices";
import { useSourceMutation } from "./use-source-mutation";

const FIELDS = ["name", "admin_key", "backfill_days", "base_url", "settle_minutes"];
/** Refusals that are about the key, whether or not the answer names the field. */
const KEY_CODES = ["key_rejected", "scope_missing", "provider_failed"];

/** Name, admin key and history of a new source. The server tests the key before it stores anything. */
export function SourceForm() {
  const form = useRef<HTMLFormElement>(null);
  const [keyProblem, setKeyProblem] = useState<string | null>(null);
  const create = useCreate();
  const focusField = (name: string) => form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = readForm(new FormData(event.currentTarget));
    const problem = adminKeyProblem(body.admin_key ?? "");
    setKeyProblem(problem);
    if (problem !== null) focusField("admin_key");
    else create.mutate(body, { onError: (error) => focusField(firstBadField(error)) });
  };
  const keyError = keyProblem ?? keySentence(create.error);
  return (
    <form ref={form} className="form" method="post" noValidate onSubmit={submit}>
      <Field label="Name" error={fieldError(create.error, "name")}>
        {(attributes) => <input {...attributes} type="text" name="name" defaultValue="OpenAI" maxLength={200} />}
      </Field>
      <Field label="Admin key" error={keyError}>
        {(attributes) => <input {...attributes} className="mono" type="password" name="admin_key" placeholder="sk-admin-..." autoComplete="off" />}
      </Field>
      <Field label="History to read first" error={fieldError(create.error, "backfill_days")}>
        {(attributes) => (
          <select {...attributes} name="backfill_days" defaultValue={182}>
            {HISTORY_CHOICES.map(({ days, label }) => (
              <option key={days} value={days}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Rare error={create.error} />
      {keyError === null && <FormError error={create.error} fields={FIELDS} />}
      <div className="row">
        <button className="btn pri" type="submit" disabled={create.isPending}>
          {create.isPending ? "Testing the key" : "Test and connect"}
        </button>
      </div>
    </form>
  );
}

function Rare({ error }: { error: Error | null }) {
  return (
    <details>
      <summary>Address and settle time</summary>
      <div className="form">
        <Field label="Base URL" error={fieldError(error, "base_url")} hint="Left empty: https://api.openai.com/v1. The key is sent there and nowhere else.">
          {(attributes) => <input {...attributes} type="url" name="base_url" placeholder="https://api.openai.com/v1" />}
        </Field>
        <Field label="Settle time, minutes" error={fieldError(error, "settle_minutes")} hint="How long after its end an hour may still change before it counts.">
          {(attributes) => <input {...attributes} type="number" name="settle_minutes" min={0} max={2880} placeholder="60" />}
        </Field>
      </div>
    </details>
  );
}

function useCreate() {
  const navigate = useNavigate();
  return useSourceMutation(createSource, (source) => {
    void navigate(`/sources?source=${encodeURIComponent(source.slug)}`);
    return `${source.name} is connected; its history is being read`;
  });
}

function readForm(form: FormData): NewSource {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const settle = text("settle_minutes");
  return {
    name: text("name"),
    kind: "openai",
    admin_key: text("admin_key"),
    backfill_days: Number(text("backfill_days")),
    base_url: text("base_url") || undefined,
    settle_minutes: settle === "" ? undefined : Number(settle),
  };
}

function keySentence(error: Error | null): string | null {
  if (!(error instanceof ApiError)) return null;
  return error.field("admin_key") ?? (KEY_CODES.includes(error.code) ? error.message : null);
}

function firstBadField(error: Error): string {
  const named = error instanceof ApiError ? error.fields.find(({ name }) => FIELDS.includes(name)) : undefined;
  return named?.name ?? "admin_key";
}
