import type { TimeMarker } from "../charts/marker-layout";
import type { Marker, MarkerKind, NewParticulars, Particulars, ReadoutRef, SeriesDetail, SeriesRow } from "../api/types";
import { DAY_MS, formatHour } from "./time";

/** The particulars a kind of marker asks for. */
export type ParticularName = keyof NewParticulars;

interface KindWords {
  /** In the choice of kinds. */
  word: string;
  /** What the button of the form says. */
  action: string;
  isRepair: boolean;
  asks: readonly ParticularName[];
  /** What a free text is about. */
  changeLabel?: string;
}

/** Kinds in the order of the choice: repairs first. */
export const MARKER_KINDS: Readonly<Record<MarkerKind, KindWords>> = {
  "key-shipped": { word: "Key shipped", action: "Mark key shipped", isRepair: true, asks: ["key", "granularity", "units_at_peak", "shards"] },
  "breakpoint-changed": { word: "Breakpoint set or moved", action: "Mark breakpoint changed", isRepair: true, asks: ["position", "mode"] },
  "prefix-changed": { word: "Prefix made stable, shorter or longer", action: "Mark prefix changed", isRepair: true, asks: ["change"], changeLabel: "What became stable, shorter or longer" },
  "retention-changed": { word: "Retention changed", action: "Mark retention changed", isRepair: true, asks: ["retention"] },
  "warm-call": { word: "Warm call shipped", action: "Mark warm call shipped", isRepair: true, asks: ["change"], changeLabel: "Which call goes ahead, and when" },
  "write-repair": { word: "Fewer writes that nobody reads", action: "Mark write repair shipped", isRepair: true, asks: ["change", "mode"], changeLabel: "What is no longer written" },
  "key-removed": { word: "Key removed", action: "Mark key removed", isRepair: true, asks: ["key", "granularity"] },
  "model-changed": { word: "Model changed", action: "Mark model changed", isRepair: false, asks: [] },
  "prompt-changed": { word: "Prompt changed", action: "Mark prompt changed", isRepair: false, asks: [] },
  deploy: { word: "Deploy", action: "Mark deploy", isRepair: false, asks: [] },
  incident: { word: "Incident", action: "Mark incident", isRepair: false, asks: [] },
  other: { word: "Something else", action: "Mark change", isRepair: false, asks: [] },
};

export const MARKER_KIND_NAMES = Object.keys(MARKER_KINDS) as MarkerKind[];

/** The kind that the form begins with: workers that start together are cured by a warm call and no key. */
export function usualKind(series: Pick<SeriesDetail, "controls">): MarkerKind {
  return isFanOut(series) ? "warm-call" : "key-shipped";
}

/** Whether the numbers show workers that start together. */
export function isFanOut({ controls }: Pick<SeriesDetail, "controls">): boolean {
  return controls.some(({ name, status }) => name === "fan-out" && status === "fired");
}

/** The shape of a key, after the project where its name can stand in one. */
export function keyExample(project: string): string {
  const name = /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(project) && project.length <= LONGEST_NAME ? project : "app";
  return `${name}-{tenant}`;
}

/** With "-{tenant}" it fits into the 64 characters of a key, hash and all. */
const LONGEST_NAME = 40;

export const GRANULARITY_WORDS = {
  template: "Template",
  "tenant-document": "Tenant or document",
  conversation: "Conversation",
  message: "Message",
  request: "Request",
} as const;

export const MODE_WORDS = {
  implicit: "Implicit",
  explicit: "Explicit",
  "implicit-and-explicit": "Implicit and explicit",
} as const;

export const RETENTION_WORDS = {
  in_memory: "In memory",
  "24h": "24 hours (up to GPT-5.5)",
  "30m": "30 minutes (GPT-5.6 and later)",
  "12h": "12 hours (GPT-5.6 and later)",
} as const;

/** The proposals among markers, and those that count. */
export function splitMarkers(markers: readonly Marker[]): { inForce: Marker[]; proposed: Marker[] } {
  return {
    inForce: markers.filter(({ state }) => state === "in-force"),
    proposed: markers.filter(({ state }) => state === "proposed"),
  };
}

/** Markers in force that lie inside a stretch of time, or reach into it; those with a readout of the series lead to it. */
export function timeMarkers(markers: readonly Marker[], start: number, end: number, seriesId?: number): TimeMarker[] {
  return markers.flatMap((marker) => {
    const { state, at, until, word } = marker;
    const readout = seriesId === undefined ? null : readoutOf(marker, seriesId);
    const [from, to] = [Date.parse(at), Date.parse(until ?? at)];
    if (state !== "in-force" || to < start || from >= end) return [];
    return [{ time: Math.max(from, start), end: to > from ? Math.min(to, end) : null, label: `${word} ${formatHour(at)}`, ...(readout && { href: `/readouts/${readout.id}` }) }];
  });
}

/** The readout that a marker opened for one series, if any. */
export function readoutOf(marker: Marker, seriesId: number): ReadoutRef | null {
  return marker.rollout?.readouts.find(({ series_id }) => series_id === seriesId) ?? null;
}

/** Whether a marker is about a series: its own, its project's or its source's. */
export function touches(marker: Marker, row: Pick<SeriesRow, "id" | "project_id" | "source">): boolean {
  if (marker.source.slug !== row.source.slug) return false;
  if (marker.scope === "series") return marker.series_id === row.id;
  return marker.scope === "source" || marker.project_id === row.project_id;
}

const SPARK_DAYS = 7;

/** Where markers stand in a line of evenly spaced points: 0 at the first, 1 at the last. Those outside are left out. */
export function markerPlaces(markers: readonly Marker[], row: SeriesRow): number[] {
  const first = row.points[0];
  const last = row.points.at(-1);
  if (!first || !last || first === last) return [];
  const [start, end] = [Date.parse(first.t), Date.parse(last.t)];
  const places = markers.filter((marker) => touches(marker, row)).map(({ at }) => (Date.parse(at) - start) / (end - start));
  return places.filter((place) => place >= 0 && place <= 1);
}

/** The midnight from which markers can stand in a line of seven days; it changes once a day. */
export function sparkStart(now: Date): string {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - (SPARK_DAYS + 1) * DAY_MS).toISOString().replace(".000", "");
}

/** What a repair says of itself beside its key, in one line. */
export function particularsText({ granularity, shards, position, mode, change, retention }: Particulars): string {
  const said = [
    granularity && `one for each ${GRANULARITY_WORDS[granularity].toLowerCase()}`,
    shards !== null && shards > 1 && `${shards} shards`,
    position,
    change,
    mode && `${MODE_WORDS[mode].toLowerCase()} mode`,
    retention && RETENTION_WORDS[retention].replace(/ \(.*/, "").toLowerCase(),
  ];
  return said.filter(Boolean).join(", ");
}
