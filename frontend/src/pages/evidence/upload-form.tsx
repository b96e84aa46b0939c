import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type SubmitEvent } from "react";
import { useNavigate } from "react-router";

import { ApiError } from "../../api/errors";
import { EVIDENCE_KEY, importEvidence, isUnread, type NewEvidence } from "../../api/evidence";
import type { EvidencePage } from "../../api/types";
import { Field } from "../../ui/field";
import { fieldError, FormError } from "../../ui/form-error";
import { announce } from "../../lib/announce";

const FIELDS = ["file", "format", "by", "source"];
const AUTO = "auto";

interface UploadFormProps {
  sources: EvidencePage["import_into"];
  formats: EvidencePage["formats"];
  /** What it is evidence for. */
  seriesId: number | undefined;
}

/** A log, how it is to be read, and what it belongs to. */
export function UploadForm({ sources, formats, seriesId }: UploadFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [noFile, setNoFile] = useState(false);
  const send = useImport();
  const fixed = seriesId === undefined ? undefined : sources[0];
  const focusField = (name: string) => form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const file = event.currentTarget.querySelector<HTMLInputElement>("[name=file]")?.files?.[0];
    setNoFile(file === undefined);
    if (file === undefined) focusField("file");
    else send.mutate({ file, how: readForm(new FormData(event.currentTarget), seriesId) }, { onError: (error) => focusField(firstBadField(error)) });
  };
  return (
    <form ref={form} className="form upload" method="post" noValidate onSubmit={submit}>
      <Field label="Log" error={noFile ? "Choose a file first." : fieldError(send.error, "file")} hint="Prompts and answers are not read. Sessions, accounts and keys are only compared with each other; none of their values is kept.">
        {(attributes) => <input {...attributes} type="file" name="file" accept=".json,.jsonl,.ndjson,.csv,.log,.gz" />}
      </Field>
      <div className="pair">
        <Field label="Format" error={fieldError(send.error, "format")}>
          {(attributes) => (
            <select {...attributes} name="format" defaultValue={AUTO}>
              <option value={AUTO}>Tell it from the records</option>
              {formats.map(({ name, title }) => <option key={name} value={name}>{title}</option>)}
            </select>
          )}
        </Field>
        <Field label="Compare by column" error={fieldError(send.error, "by")} hint="Several, with commas, make a matrix. Left empty: the column arm, if there is one.">
          {(attributes) => <input {...attributes} type="text" name="by" placeholder="arm" autoComplete="off" />}
        </Field>
        <SourceField sources={sources} fixed={fixed} error={send.error} />
      </div>
      {seriesId !== undefined && <p className="sub">It is attached to the series that this list is of{fixed && `, in the source ${fixed.name}`}.</p>}
      <FormError error={send.error} fields={fixed ? FIELDS.filter((name) => name !== "source") : FIELDS} />
      <div className="row">
        <button className="btn pri" type="submit" disabled={send.isPending}>{send.isPending ? "Sending the log" : "Import log"}</button>
      </div>
    </form>
  );
}

interface SourceFieldProps {
  sources: EvidencePage["import_into"];
  /** That of the series; undefined: the choice is free. */
  fixed: EvidencePage["import_into"][number] | undefined;
  error: Error | null;
}

function SourceField({ sources, fixed, error }: SourceFieldProps) {
  if (fixed) return <input type="hidden" name="source" value={fixed.slug} />;
  return (
    <Field label="Source" error={fieldError(error, "source")}>
      {(attributes) => (
        <select {...attributes} name="source">
          {sources.map(({ slug, name }) => <option key={slug} value={slug}>{name}</option>)}
        </select>
      )}
    </Field>
  );
}

function useImport() {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ file, how }: { file: File; how: NewEvidence }) => importEvidence(file, how),
    onSuccess: (row) => {
      announce(isUnread(row) ? `${row.file_name} is sent` : `${row.file_name} is read: ${row.heading}`);
      void client.invalidateQueries({ queryKey: EVIDENCE_KEY });
      void navigate(row.path);
    },
  });
}

function readForm(form: FormData, seriesId: number | undefined): NewEvidence {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const by = text("by").split(",").map((name) => name.trim()).filter(Boolean);
  return { source: text("source"), format: text("format"), by, series_id: seriesId };
}

function firstBadField(error: Error): string {
  const named = error instanceof ApiError ? error.fields.find(({ name }) => FIELDS.includes(name)) : undefined;
  return named?.name ?? "file";
}
