import { Link } from "react-router";

import type { SeriesDetail } from "../../api/types";
import { keyPlanPath } from "../../lib/key-plan";
import { isFanOut } from "../../lib/markers";

/** The way from the repair list to the keys of this series. */
export function KeyPlanLink({ series }: { series: SeriesDetail }) {
  const words = isFanOut(series) ? "Why a key does not help here: the requests of a burst start together." : "Whether a key helps here, which one, over how many shards, and the code.";
  return (
    <p className="keyplan">
      <Link to={keyPlanPath(series.path)}>Key plan</Link>
      <span className="sub">{words}</span>
    </p>
  );
}
