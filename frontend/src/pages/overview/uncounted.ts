import type { Overview, SeriesFacets, Source } from "../../api/types";

/** Sources with series that no total holds: demo data beside a source of one's own. */
export function uncountedSources(overview: Overview, sources: readonly Source[]): Source[] {
  return sources.filter(({ slug, series_count: series }) => series > 0 && !overview.sources.some((counted) => counted.slug === slug));
}

/** The choices of the filters with the sources that are in no total, which are listed where somebody names them. */
export function withUncounted(known: SeriesFacets | undefined, uncounted: readonly Source[]): SeriesFacets | undefined {
  if (known === undefined) return undefined;
  const more = uncounted.filter(({ slug }) => !known.sources.some((there) => there.slug === slug));
  return { ...known, sources: [...known.sources, ...more.map(({ slug, name, series_count: count }) => ({ slug, name, count }))] };
}
