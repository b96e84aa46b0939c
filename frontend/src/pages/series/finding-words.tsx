import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";

import { seriesWorkQuery } from "../../api/findings";

/** Where the finding stands and who has it, in the line of the verdict; nothing where there is no finding. */
export function FindingWords({ seriesId }: { seriesId: number }) {
  const [search] = useSearchParams();
  const work = useQuery(seriesWorkQuery(seriesId)).data;
  if (!work?.finding) return null;
  const { standing, owner } = work.finding;
  const change = owner ? "change" : "assign";
  return (
    <>
      <span>finding: <span className="b">{standing}</span></span>
      <span>
        {owner ? `owner ${owner.name}` : "no owner"}
        {work.can_write && <>, <Link to={{ search: search.toString(), hash: "finding" }} preventScrollReset className="inline" aria-label={owner ? "Change the owner" : "Assign an owner"}>{change}</Link></>}
      </span>
    </>
  );
}
