import type { SeriesDetail } from "../api/types";
import { newMarker, type MarkerDraft } from "./marker-form";

/** What stands for the deploy's own number, to be replaced by the job. */
const EXAMPLE_ID = "deploy-812";

/**
 * The call that marks the same from CI: the kind, the place and what is filled in of the form, without a time, which
 * then is that of the call. The token comes from the environment and is never part of it.
 */
export function markerCurl(draft: MarkerDraft, series: SeriesDetail, origin: string): string {
  const { source, kind, particulars, link, note } = newMarker(draft, series);
  const body = { source, kind, ...placeOf(draft, series), external_id: EXAMPLE_ID, ...said({ link, note }), ...said({ particulars: said(particulars) }) };
  return [
    `curl --fail-with-body "${origin}/api/v1/markers" \\`,
    '  --header "Authorization: Bearer $CACHEWATCH_TOKEN" \\',
    '  --header "Content-Type: application/json" \\',
    `  --data '${shellText(JSON.stringify(body, null, 2)).replaceAll("\n", "\n  ")}'`,
  ].join("\n");
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
