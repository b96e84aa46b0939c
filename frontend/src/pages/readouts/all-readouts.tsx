import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { readoutListQuery } from "../../api/readouts";
import { Region } from "../../ui/region";
import { Section } from "../../ui/section";
import { formatCount } from "../../lib/format";
import { listHeading } from "../../lib/readouts";

import { LIST_WORDS, ListFiles, ReadoutList } from "./readout-list";

const ROWS = 10;

/** The latest readouts under the page of one, so that each stands among the others. */
export function AllReadouts({ here }: { here: number }) {
  const list = useQuery(readoutListQuery({ limit: ROWS }));
  const heading = list.data ? listHeading(list.data.states) : "All readouts";
  return (
    <Section title={heading} how={LIST_WORDS} acts={<ListFiles search="" />}>
      <Region query={list} what="the readouts">
        {({ items, total }) => (
          <>
            <ReadoutList rows={items} filter={null} busy={list.isPlaceholderData} here={here} />
            {total > items.length && <p className="note"><Link to="/readouts">All {formatCount(total)} readouts</Link></p>}
          </>
        )}
      </Region>
    </Section>
  );
}
