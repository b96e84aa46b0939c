import "./readouts.css";

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearchParams } from "react-router";

import { readoutListQuery } from "../../api/readouts";
import { Notice } from "../../ui/notice";
import { offsetOf, Pager } from "../../ui/pager";
import { Region } from "../../ui/region";
import { Section } from "../../ui/section";
import { listHeading } from "../../lib/readouts";
import { usePageTitle } from "../../lib/use-page-title";

import { LIST_ROWS, listQuery, readList, toSearch } from "./list-filter";
import { LIST_WORDS, ListFiles, ReadoutList } from "./readout-list";
import { StateFilter } from "./state-filter";

/** Every shipped repair and what was measured of it; the address holds the chosen states and the order. */
export function ReadoutsPage() {
  usePageTitle("Readouts");
  const [search] = useSearchParams();
  const { filter, ignored } = readList(search);
  const list = useQuery(readoutListQuery(listQuery(filter, offsetOf(search, "offset"))));
  const navigate = useNavigate();
  const states = list.data?.states;
  const asked = toSearch(filter);
  return (
    <>
      <h1>{states ? listHeading(states) : "Readouts"}</h1>
      <p className="lede">
        Each repair that is marked as shipped opens a readout: the days before it held against the days after, at equal load.
      </p>
      {ignored.length > 0 && <Notice>Passed over, because it means nothing here: {ignored.join(", ")}</Notice>}
      <StateFilter chosen={filter.states} counts={states} onChange={(next) => void navigate({ search: toSearch({ ...filter, states: next }) }, { preventScrollReset: true })} />
      <Section title="Before and after" how={LIST_WORDS} acts={<ListFiles search={asked} />}>
        <Region query={list} what="the readouts">
          {(page) => (
            <>
              <ReadoutList rows={page.items} filter={filter} busy={list.isPlaceholderData} />
              <Pager name="offset" offset={page.offset} limit={LIST_ROWS} total={page.total} />
            </>
          )}
        </Region>
      </Section>
    </>
  );
}
