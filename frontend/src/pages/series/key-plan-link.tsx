import { Link } from "react-router";

import type { SeriesDetail } from "../../api/types";
import { keyPlanPath } from "../../lib/key-plan";

/** The way from the repair list to the keys of this series. */
export function KeyPlanLink({ series }: { series: SeriesDetail }) {
  return (
    <p className="keyplan">
      <Link to={keyPlanPath(series.path)}>Key plan</Link>
      <span className="sub">Whether a key helps here, which one, over how many shards, and the code.</span>
    </p>
  );
}
