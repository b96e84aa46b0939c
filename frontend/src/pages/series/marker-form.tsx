import { useRef, useState, type SubmitEvent } from "react";

import { ApiError } from "../../api/errors";
import { changeMarker, createMarker } from "../../api/markers";
import type { Marker, MarkerKind, SeriesDetail } from "../../api/types";
import { Field } from "../../ui/field";
import { Fold } from "../../ui/fold";
import { fieldError, FormError } from "../../ui/form-error";
import { draftOf, keyPlan, markerChanges, momentOf, newDraft, newMarker, type MarkerDraft } from "../../lib/marker-form";
import { MARKER_KIND_NAMES, MARKER_KINDS, usualKind } from "../../lib/markers";
import { formatAgo, formatHour } from "../../lib/time";
import { useNow } from "../../lib/use-now";

import { MarkerCurl } from "./marker-curl";
import { KeyLintWords } from "./marker-lint";
import { ParticularFields } from "./marker-fields";
import { useMarkerChange } from "./use-marker-change";

interface MarkerFormProps {
  series: SeriesDetail;
  /** The marker to change; null for a new one. */
  marker: Marker | null;
  onDone: () => void;
}

/** Fields whose refusals stand under them. */
const SHOWN = ["at", "until", "link", "note", "particulars.key", "particulars.granularity", "particulars.shards", "particulars.units_at_peak", "particulars.position", "particulars.mode", "particulars.change", "particulars.retention"];

/** Marks a repair as shipped, or another change; the key is checked while it is typed. */
export function MarkerForm({ series, marker, onDone }: MarkerFormProps) {
  const now = useNow();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<MarkerDraft>(() => (marker ? draftOf(marker) : newDraft(usualKind(series), now)));
  const change = (part: Partial<MarkerDraft>) => setDraft({ ...draft, ...part });
  const save = useMarkerChange(
    () => (marker ? changeMarker(marker.id, markerChanges(draft, marker.version)) : createMarker(newMarker(draft, series))),
    (saved) => (saved.rollout ? `Marked: ${saved.word}. Its readout is open.` : `Marked: ${saved.word}.`),
  );
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(undefined, {
      onSuccess: () => {
        setDraft(newDraft(usualKind(series), now));
        onDone();
      },
      onError: () => requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus()),
    });
  };
  const kind = MARKER_KINDS[draft.kind];
  const action = marker ? "Save changes" : kind.action;
  return (
    <>
      <h2 id="mark-heading">{marker ? `Change ${marker.word} of ${formatHour(marker.at)}` : kind.action}</h2>
      <Fold what={marker ? undefined : "the form"}>
      <form ref={form} className="form" onSubmit={submit} aria-labelledby="mark-heading">
        {!marker && <KindField kind={draft.kind} onChange={(next) => change({ kind: next, other: "" })} />}
        <TimeFields draft={draft} error={save.error} onChange={change} />
        <ParticularFields draft={draft} error={save.error} project={series.project_name} onChange={(particulars) => change({ particulars })} />
        <KeyLintWords plan={keyPlan(draft, series.id)} keyLength={draft.particulars.key.length} />
        <MoreFields draft={draft} series={series} isNew={!marker} error={save.error} onChange={change} />
        <FormError error={save.error} fields={SHOWN} />
        {isConflict(save.error) && <p className="sub">Somebody else changed it meanwhile. Close this form and open it again to see theirs.</p>}
        <div className="row">
          <button className="btn pri" type="submit" disabled={save.isPending}>{action}</button>
          {marker && <button className="btn" type="button" onClick={onDone}>Close</button>}
        </div>
        {!marker && <MarkerCurl draft={draft} series={series} />}
      </form>
      </Fold>
    </>
  );
}

function isConflict(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 409;
}

interface FieldsProps {
  draft: MarkerDraft;
  error: Error | null;
  onChange: (part: Partial<MarkerDraft>) => void;
}

function KindField({ kind, onChange }: { kind: MarkerKind; onChange: (kind: MarkerKind) => void }) {
  const options = (isRepair: boolean) =>
    MARKER_KIND_NAMES.filter((name) => MARKER_KINDS[name].isRepair === isRepair).map((name) => <option key={name} value={name}>{MARKER_KINDS[name].word}</option>);
  return (
    <Field label="What happened">
      {(attributes) => (
        <select {...attributes} value={kind} onChange={(event) => onChange(event.target.value as MarkerKind)}>
          <optgroup label="Repairs, measured before and after">{options(true)}</optgroup>
          <optgroup label="Other changes, drawn on charts">{options(false)}</optgroup>
        </select>
      )}
    </Field>
  );
}

/** When, in UTC; of a repair the moment when all traffic had it, and since when some did. */
function TimeFields({ draft, error, onChange }: FieldsProps) {
  const now = useNow();
  const { isRepair } = MARKER_KINDS[draft.kind];
  const errors = [fieldError(error, "at"), fieldError(error, "until")];
  return (
    <>
      <Field label={isRepair ? "When it reached all traffic (UTC)" : "When (UTC)"} error={isRepair ? (errors[1] ?? errors[0]) : errors[0]} hint={momentWords(draft.at, now)}>
        {(attributes) => <input {...attributes} type="datetime-local" required value={draft.at} onChange={(event) => onChange({ at: event.target.value })} />}
      </Field>
      <details open={draft.other !== ""}>
        <summary>{isRepair ? "It shipped over a ramp" : "It lasted a while"}</summary>
        <Field label={isRepair ? "First traffic had it (UTC)" : "Until (UTC)"} error={isRepair ? null : errors[1]}>
          {(attributes) => <input {...attributes} type="datetime-local" value={draft.other} onChange={(event) => onChange({ other: event.target.value })} />}
        </Field>
      </details>
    </>
  );
}

/** The moment as pages write it, so that nobody takes the field for local time. */
function momentWords(field: string, now: Date): string {
  const time = momentOf(field);
  if (time === null) return "In UTC; may lie ahead.";
  return `${formatHour(time)} UTC, ${formatAgo(time, now)}`;
}

function MoreFields({ draft, series, isNew, error, onChange }: FieldsProps & { series: SeriesDetail; isNew: boolean }) {
  return (
    <>
      {isNew && (
        <Field label="Where">
          {(attributes) => (
            <select {...attributes} value={draft.scope} onChange={(event) => onChange({ scope: event.target.value as MarkerDraft["scope"] })}>
              <option value="series">{`${series.project_name} / ${series.model_name}`}</option>
              <option value="project">{`All models of ${series.project_name}`}</option>
              <option value="source">{`All of ${series.source.name}`}</option>
            </select>
          )}
        </Field>
      )}
      <Field label="Link" error={fieldError(error, "link")}>
        {(attributes) => <input {...attributes} type="url" placeholder="https://" value={draft.link} onChange={(event) => onChange({ link: event.target.value })} />}
      </Field>
      <Field label="Note" error={fieldError(error, "note")}>
        {(attributes) => <textarea {...attributes} rows={2} maxLength={5000} placeholder="What else changed in this release?" value={draft.note} onChange={(event) => onChange({ note: event.target.value })} />}
      </Field>
    </>
  );
}
