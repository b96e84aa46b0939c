import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";

import { seriesFacetsQuery, seriesListQuery } from "../../api/overview";
import { sourcesQuery } from "../../api/sources";
import type { Overview, Source } from "../../api/types";
import { Notice } from "../../ui/notice";
import { Pager } from "../../ui/pager";
import { Region } from "../../ui/region";
import { Section } from "../../ui/section";
import { formatCount, plural } from "../../lib/format";
import { isPushed } from "../../lib/pushed";

import { isDefaultSort, isFiltered, PAGE_ROWS, readFilters, toFacetQuery, toQuery, toSearch, type Filters } from "./filters";
import { judgedCounts } from "./judged";
import { SeriesFilters } from "./series-filters";
import { SeriesTable } from "./series-table";
import { uncountedSources, withUncounted } from "./uncounted";

/** Filters and table; the address holds their whole state. */
export function SeriesPart({ overview }: { overview: Overview }) {
  const params = useSearchParams()[0];
  const sources = useQuery(sourcesQuery);
  const uncounted = uncountedSources(overview, sources.data?.items ?? []);
  const shown = uncounted.filter(({ slug }) => params.getAll("source").includes(slug));
  const choices = useQuery(seriesFacetsQuery(shown.length > 0 ? { source: params.getAll("source") } : {})).data;
  const known = sources.isPending ? undefined : withUncounted(choices, uncounted);
  const { filters, ignored } = readFilters(params, known);
  const change = useChange();
  const list = useQuery(seriesListQuery(toQuery(filters)));
  const facets = useQuery(seriesFacetsQuery(toFacetQuery(filters))).data;
  const total = list.data?.total;
  return (
    <Section title={heading(overview, filters, total, shown)} how={isDefaultSort(filters.sort) ? "the most avoidable dollars a week first" : null} acts={<Downloads filters={filters} />}>
      <SeriesFilters filters={filters} facets={facets} known={known} shown={total} onChange={change} />
      {ignored.length > 0 && <Notice>Passed over, because nothing here has this value: {ignored.join(", ")}</Notice>}
      <p className="note blocks-only">In each block: what is avoidable a week at the top, the quiet to busy third on the left, cached share over seven days on the right; below, how far the repair is and who has it.</p>
      <Region query={list} what="the series">
        {(page) => (
          <>
            <SeriesTable rows={page.items} filters={filters} severalSources={overview.sources.length > 1 || shown.length > 0} waits={overview.sources.length > 0 && overview.sources.every(isPushed)} busy={list.isPlaceholderData} />
            <Pager name="offset" offset={page.offset} limit={PAGE_ROWS} total={page.total} />
            <p className="note">
              Avoidable: input tokens that would have been read from the prompt cache, times (input price minus cached price), as a range. The low
              end holds the busiest hours against the share named under the figure; where the share falls with load the high end holds all
              hours against what the same fall would reach at one request an hour, since quiet hours lose too. It is an estimate, not a bill. <Link to="/how#money">How it is worked out</Link>
            </p>
            <p className="note">Since: the first of the days in a row with this verdict. Where it is the first day judged, the verdict may be older; the page of the series says so.</p>
          </>
        )}
      </Region>
    </Section>
  );
}

function heading(overview: Overview, filters: Filters, total: number | undefined, uncounted: readonly Source[]): string {
  if (uncounted.length > 0 && total !== undefined) return `${plural(total, "series", "series")} match the filters; no figure above counts ${uncounted.map(({ name }) => name).join(", ")}`;
  const all = formatCount(overview.series);
  if (isFiltered(filters) && total !== undefined) return `${formatCount(total)} of ${all} series match the filters`;
  if (overview.series === 0) return "No series yet";
  const { judged, unjudged } = judgedCounts(overview);
  if (judged === 0) return overview.series === 1 ? "1 series found, not judged yet" : `${all} series found, none of them judged yet`;
  if (overview.findings === 0 && unjudged > 0) return `None of the ${formatCount(judged)} judged series has an open finding; ${formatCount(unjudged)} cannot be judged`;
  if (overview.findings === 0) return `None of ${all} series has an open finding`;
  const rest = unjudged === 0 ? "" : `; ${formatCount(unjudged)} cannot be judged`;
  return `${formatCount(overview.findings)} of ${all} series ${overview.findings === 1 ? "has" : "have"} an open finding${rest}`;
}

function useChange() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return (next: Filters, replace = false) => void navigate({ pathname, search: toSearch(next) }, { replace, preventScrollReset: true });
}

function Downloads({ filters }: { filters: Filters }) {
  const search = toSearch({ ...filters, offset: 0, attention: "all" });
  const tail = search && `?${search}`;
  return (
    <>
      <a href={`/series.csv${tail}`}>CSV</a>
      <a href={`/series.json${tail}`}>JSON</a>
    </>
  );
}
