import type { SeriesDetail } from "../api/types";
import { newMarker, type MarkerDraft } from "./marker-form";
import { MARKER_KINDS, type ParticularName } from "./markers";

/** What stands for the deploy's own number, to be replaced by the job. */
const EXAMPLE_ID = "deploy-812";

/** What stands for a particular that the form leaves empty, so that the call shows where it goes. */
const EXAMPLES: Readonly<Record<ParticularName, string | number>> = {
  key: "name-of-the-template-{tenant}",
  granularity: "tenant-document",
  units_at_peak: 40,
  shards: 1,
  position: "after the tools",
  mode: "explicit",
  change: "what changed",
  retention: "24h",
};

/**
 * The call that marks the same from CI: the kind, the place and what is filled in of the form, an example of what a
 * repair asks for and the form leaves empty, and no time, which then is that of the call. The token comes from the environment and is never part of it.
 */
export function markerCurl(draft: MarkerDraft, series: SeriesDetail, origin: string): string {
  const { source, kind, particulars, link, note } = newMarker(draft, series);
  const body = { source, kind, ...placeOf(draft, series), external_id: EXAMPLE_ID, ...said({ link, note }), ...said({ particulars: { ...examples(draft), ...said(particulars) } }) };
  return [
    `curl --fail-with-body "${origin}/api/v1/markers" \\`,
    '  --header "Authorization: Bearer $CACHEWATCH_TOKEN" \\',
    '  --header "Content-Type: application/json" \\',
    `  --data '${shellText(JSON.stringify(body, null, 2)).replaceAll("\n", "\n  ")}'`,
  ].join("\n");
}

/** Of every particular that the kind asks for, as a stand-in. */
function examples({ kind }: MarkerDraft): object {
  return Object.fromEntries(MARKER_KINDS[kind].asks.map((name) => [name, EXAMPLES[name]]));
}

/** Whether the call holds stand-ins that are to be replaced. */
export function hasExamples(draft: MarkerDraft): boolean {
  return MARKER_KINDS[draft.kind].asks.some((name) => draft.particulars[name].trim() === "");
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
