import type { SeriesDetail } from "../api/types";
import { newMarker, type MarkerDraft } from "./marker-form";
import { GRANULARITY_WORDS, MARKER_KINDS, MODE_WORDS, RETENTION_WORDS, type ParticularName } from "./markers";

/** What stands for the deploy's own number, to be replaced by the job. */
const EXAMPLE_ID = "deploy-812";

/**
 * What stands for a particular that the form leaves empty, so that the call shows where it goes and what it is. None is
 * JSON, so that a call sent as it stands is refused: what nobody said must not be kept as if somebody had.
 */
const STAND_INS: Readonly<Record<ParticularName, string>> = {
  key: '<"shape of the key">',
  granularity: oneOf(GRANULARITY_WORDS),
  units_at_peak: "<units at peak>",
  shards: "<number of shards>",
  position: '<"where the breakpoint stands">',
  mode: oneOf(MODE_WORDS),
  change: '<"what changed">',
  retention: oneOf(RETENTION_WORDS),
};

function oneOf(words: object): string {
  return `<${Object.keys(words).map((name) => `"${name}"`).join(" or ")}>`;
}

/**
 * The call that marks the same from CI: the kind, the place and what is filled in of the form, a stand-in for what a
 * repair asks for and the form leaves empty, and no time, which then is that of the call. The token comes from the environment and is never part of it.
 */
export function markerCurl(draft: MarkerDraft, series: SeriesDetail, origin: string): string {
  const { source, kind, particulars, link, note } = newMarker(draft, series);
  const left = leftEmpty(draft);
  const asked = { ...Object.fromEntries(left.map((name) => [name, name])), ...said(particulars) };
  const body = { source, kind, ...placeOf(draft, series), external_id: EXAMPLE_ID, ...said({ link, note }), ...said({ particulars: asked }) };
  const json = left.reduce((text, name) => text.replace(`"${name}": "${name}"`, () => `"${name}": ${STAND_INS[name]}`), JSON.stringify(body, null, 2));
  return [
    `curl --fail-with-body "${origin}/api/v1/markers" \\`,
    '  --header "Authorization: Bearer $CACHEWATCH_TOKEN" \\',
    '  --header "Content-Type: application/json" \\',
    `  --data '${shellText(json).replaceAll("\n", "\n  ")}'`,
  ].join("\n");
}

/** What the kind asks for and the form does not say yet. */
function leftEmpty({ kind, particulars }: MarkerDraft): ParticularName[] {
  return MARKER_KINDS[kind].asks.filter((name) => particulars[name].trim() === "");
}

/** Whether the call holds stand-ins that are to be replaced. */
export function hasStandIns(draft: MarkerDraft): boolean {
  return leftEmpty(draft).length > 0;
}

/** Where it counts, by the ids a deploy knows. */
function placeOf({ scope }: MarkerDraft, { project_id, model }: SeriesDetail) {
  if (scope === "series") return { project_id, model };
  return scope === "project" ? { project_id } : {};
}

/** What is filled in, without what is empty. */
function said(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

/** Text inside single quotes of a shell. */
function shellText(text: string): string {
  return text.replaceAll("'", "'\\''");
}
