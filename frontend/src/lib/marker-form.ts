import type { KeyPlan, Marker, MarkerChanges, MarkerKind, NewMarker, NewParticulars, SeriesDetail } from "../api/types";
import { MARKER_KINDS, type ParticularName } from "./markers";

/** The form as it stands: everything is text, empty where nothing was said. */
export interface MarkerDraft {
  kind: MarkerKind;
  /** When all traffic had it, as a field holds it: 2026-11-23T10:00, in UTC. */
  at: string;
  /** The other end: since when some traffic had it, or until when something lasted. */
  other: string;
  scope: Marker["scope"];
  link: string;
  note: string;
  particulars: Readonly<Record<ParticularName, string>>;
}

const NOTHING_SAID: MarkerDraft["particulars"] = {
  key: "", granularity: "", shards: "", units_at_peak: "", position: "", mode: "", change: "", retention: "",
};

/** An empty form for a kind of marker, at the present minute. */
export function newDraft(kind: MarkerKind, now: Date): MarkerDraft {
  return { kind, at: fieldTime(now.toISOString()), other: "", scope: "series", link: "", note: "", particulars: NOTHING_SAID };
}

/** The form of a marker that is to be changed. */
export function draftOf(marker: Marker): MarkerDraft {
  const said = Object.entries(marker.rollout?.particulars ?? {}).map(([name, value]) => [name, value === null ? "" : String(value)] as const);
  const ends = { at: fieldTime(marker.at), until: marker.until === null ? "" : fieldTime(marker.until) };
  const isRamp = MARKER_KINDS[marker.kind].isRepair && ends.until !== "";
  return {
    kind: marker.kind,
    at: isRamp ? ends.until : ends.at,
    other: isRamp ? ends.at : ends.until,
    scope: marker.scope,
    link: marker.link,
    note: marker.note,
    particulars: { ...NOTHING_SAID, ...Object.fromEntries(said) },
  };
}

/** A moment as a field for date and time holds it, in UTC. */
function fieldTime(time: string): string {
  return time.slice(0, 16);
}

function moment(field: string): string {
  return `${field.slice(0, 16)}:00Z`;
}

/** The moment a field holds, RFC 3339; null while it holds none. */
export function momentOf(field: string): string | null {
  return field === "" || Number.isNaN(Date.parse(moment(field))) ? null : moment(field);
}

/** From when to when, as the API takes it: of a repair, from the first traffic to all of it. */
function ends({ kind, at, other }: MarkerDraft): { at: string; until: string | null } {
  if (other === "") return { at: moment(at), until: null };
  const [from, to] = MARKER_KINDS[kind].isRepair ? [other, at] : [at, other];
  return { at: moment(from), until: moment(to) };
}

const NUMBERS: readonly ParticularName[] = ["shards", "units_at_peak"];

/** The particulars that the kind asks for and that were given. */
function particularsOf({ kind, particulars }: MarkerDraft): NewParticulars {
  const given = MARKER_KINDS[kind].asks.filter((name) => particulars[name].trim() !== "");
  const values = given.map((name) => [name, NUMBERS.includes(name) ? Number(particulars[name]) : particulars[name].trim()]);
  return Object.fromEntries(values) as NewParticulars;
}

/** What is sent for a new marker of a series, its project or its source. */
export function newMarker(draft: MarkerDraft, series: Pick<SeriesDetail, "id" | "source" | "project_id">): NewMarker {
  const place = { series: { series_id: series.id }, project: { project_id: series.project_id }, source: {} }[draft.scope];
  return {
    source: series.source.slug,
    kind: draft.kind,
    ...place,
    ...ends(draft),
    link: draft.link.trim(),
    note: draft.note.trim(),
    external_id: "",
    particulars: particularsOf(draft),
  };
}

/** What is sent to change a marker that was seen at `version`. */
export function markerChanges(draft: MarkerDraft, version: number): MarkerChanges {
  return { ...ends(draft), link: draft.link.trim(), note: draft.note.trim(), particulars: particularsOf(draft), version };
}

/** The key as far as it is written, to be checked; null while nothing of it is said. */
export function keyPlan(draft: MarkerDraft, seriesId: number): KeyPlan | null {
  const { key, granularity, shards, units_at_peak: units } = draft.particulars;
  if (draft.kind !== "key-shipped" || (key === "" && granularity === "")) return null;
  return {
    series_id: seriesId,
    key: key === "" ? null : key,
    granularity: (granularity || null) as KeyPlan["granularity"],
    shards: wholeNumber(shards) ?? 1,
    units_at_peak: wholeNumber(units),
    at: momentOf(draft.at),
  };
}

function wholeNumber(text: string): number | null {
  const number = Number(text);
  return text !== "" && Number.isInteger(number) && number > 0 ? number : null;
}
