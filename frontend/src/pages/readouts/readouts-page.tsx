import "./readouts.css";

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearchParams } from "react-router";

import { allReadoutsQuery, readoutListQuery } from "../../api/readouts";
import type { Page, ReadoutRow } from "../../api/types";
import { Notice } from "../../ui/notice";
import { offsetOf, Pager } from "../../ui/pager";
import { Region } from "../../ui/region";
import { Section } from "../../ui/section";
import { csvAddress } from "../../lib/series-csv";
import { countStates, listHeading } from "../../lib/readouts";
import { usePageTitle } from "../../lib/use-page-title";

import { LIST_ROWS, readStates, withStates } from "./list-filter";
import { ReadoutList } from "./readout-list";
import { StateFilter } from "./state-filter";

/** Every shipped repair and what was measured of it; the address holds the chosen states. */
export function ReadoutsPage() {
  usePageTitle("Readouts");
  const [search] = useSearchParams();
  const { states, ignored } = readStates(search);
  const all = useQuery(allReadoutsQuery).data;
  const list = useQuery(readoutListQuery({ state: states, limit: LIST_ROWS, offset: offsetOf(search, "offset") }));
  const navigate = useNavigate();
  return (
    <>
      <h1>{all ? listHeading(all.items, all.total) : "Readouts"}</h1>
      <p className="lede">
        Each repair that is marked as shipped opens a readout: the days before it held against the days after, at equal load.
      </p>
      {ignored.length > 0 && <Notice>Passed over, because it is not a state: {ignored.join(", ")}</Notice>}
      <StateFilter chosen={states} counts={all && countStates(all.items)} onChange={(next) => void navigate({ search: withStates(next) }, { preventScrollReset: true })} />
      <Section title="Before and after" how="hollow = not a claim; changes at equal load, 90% intervals" acts={list.data && <Downloads page={list.data} />}>
        <Region query={list} what="the readouts">
          {(page) => (
            <>
              <ReadoutList rows={page.items} filtered={states.length > 0} busy={list.isPlaceholderData} />
              <Pager name="offset" offset={page.offset} limit={LIST_ROWS} total={page.total} />
            </>
          )}
        </Region>
      </Section>
    </>
  );
}

function Downloads({ page }: { page: Page<ReadoutRow> }) {
  const rows = page.items.map((row) => [row.id, row.state, row.series_name, row.kind, row.at, row.net_change, row.heading]);
  const csv = csvAddress(["id", "state", "series", "kind", "at", "net_change", "heading"], rows);
  return <a href={csv} download="readouts.csv">CSV</a>;
}
