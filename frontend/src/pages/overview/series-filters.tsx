import { useEffect, useRef, useState } from "react";

import type { SeriesFacets } from "../../api/types";
import { formatCount } from "../../lib/format";
import { useShortcut } from "../../lib/use-shortcut";

import { FilterSelect, type FilterOption } from "./filter-select";
import { FINDING_WORDS, isFindingState, type Filters } from "./filters";
import { NearToggle } from "./near-toggle";
import { VerdictGroups } from "./verdict-groups";

const TYPING_MS = 250;

interface SeriesFiltersProps {
  filters: Filters;
  /** Counts under the present filters. */
  facets: SeriesFacets | undefined;
  /** Every project, model and source there is. */
  known: SeriesFacets | undefined;
  shown: number | undefined;
  onChange: (next: Filters, replace?: boolean) => void;
}

/** The filter bar: a GET form whose fields and address agree; the groups of verdicts double as the legend. */
export function SeriesFilters({ filters, facets, known, shown, onChange }: SeriesFiltersProps) {
  const change = (part: Partial<Filters>, replace?: boolean) => onChange({ ...filters, offset: 0, ...part }, replace);
  return (
    <form className="filters" method="get" action="/" role="search" aria-label="Filter series" onSubmit={(event) => event.preventDefault()}>
      <div className="fields">
        <SearchField q={filters.q} onChange={(q) => change({ q }, true)} />
        <FilterSelect
          name="project"
          chosen={filters.project}
          options={byLabel(known?.projects.map(({ id, name }) => ({ value: id ?? "_none", label: name })) ?? [])}
          onChange={(project) => change({ project })}
        />
        <FilterSelect
          name="model"
          chosen={filters.model}
          options={byLabel(known?.models.map(({ model }) => ({ value: model ?? "_none", label: model ?? "(none)" })) ?? [])}
          onChange={(model) => change({ model })}
        />
        {known && known.sources.length > 1 && (
          <FilterSelect
            name="source"
            chosen={filters.source}
            options={byLabel(known.sources.map(({ slug, name }) => ({ value: slug, label: name })))}
            onChange={(source) => change({ source })}
          />
        )}
        <FilterSelect name="owner" chosen={filters.owner} options={ownerOptions(known)} onChange={(owner) => change({ owner })} />
        <FilterSelect
          name="finding"
          what="finding state"
          chosen={filters.finding}
          options={FINDING_OPTIONS}
          onChange={(states) => change({ finding: states.filter(isFindingState) })}
        />
        <span className="count" role="status">
          {shown !== undefined && known && `${formatCount(shown)} of ${formatCount(known.total)} series. `}
          The address bar holds the filters and the sort order: copy it to share this view.
        </span>
      </div>
      <VerdictGroups chosen={filters.verdict} groups={(facets ?? known)?.groups ?? []} onChange={(verdict) => change({ verdict })}>
        <NearToggle on={filters.near} count={(facets ?? known)?.near} onChange={(near) => change({ near })} />
      </VerdictGroups>
    </form>
  );
}

const ORDER = new Intl.Collator("en", { numeric: true });

const FINDING_OPTIONS: FilterOption[] = Object.entries(FINDING_WORDS).map(([value, label]) => ({ value, label }));

/** Whoever asks, nobody, then everybody who owns a finding. */
function ownerOptions(known: SeriesFacets | undefined): FilterOption[] {
  const people = known?.owners.flatMap(({ id, name }) => (id === null ? [] : [{ value: String(id), label: name }])) ?? [];
  return [{ value: "me", label: "Me" }, { value: "none", label: "No owner" }, ...byLabel(people)];
}

/** In the order in which people look for a name: a list of choices is no ranking. */
function byLabel(options: FilterOption[]): FilterOption[] {
  return options.toSorted((one, other) => ORDER.compare(one.label, other.label));
}

function SearchField({ q, onChange }: { q: string; onChange: (q: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(q);
  const [sent, setSent] = useState(q);
  // The address changed by other means than this field: take its text over.
  if (q !== sent) {
    setSent(q);
    setText(q);
  }
  const send = (next: string) => {
    setSent(next.trim());
    onChange(next.trim());
  };
  const sendSoon = useDelayed(send);
  const clear = () => {
    setText("");
    send("");
    field.current?.blur();
  };
  useShortcut("/", "search", () => field.current?.focus());
  useShortcut("Escape", "clear the search", clear, text !== "");
  return (
    <span className="searchf">
      <label className="vh" htmlFor="f-q">
        Search series
      </label>
      <input
        ref={field}
        id="f-q"
        type="search"
        name="q"
        placeholder="Search project, model"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          sendSoon(event.target.value);
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </span>
  );
}

/** Sends the last of several texts, a moment after it; by then with the newest `send`. */
function useDelayed(send: (text: string) => void): (text: string) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return (text) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(text), TYPING_MS);
  };
}
