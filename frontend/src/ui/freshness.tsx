import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { freshnessQuery } from "../api/overview";
import { freshnessLine } from "../lib/freshness";
import { useNow } from "../lib/use-now";

import { FreshnessMarks } from "./freshness-marks";
import { Mark } from "./mark";

/** The header's line about how far the data reaches; leads to Sources. */
export function Freshness() {
  const { data: freshness } = useQuery(freshnessQuery);
  const now = useNow();
  if (!freshness) return <p className="fresh" aria-busy="true" />;
  const { short, rest } = freshnessLine(freshness, now);
  const words = (
    <span>
      {short}
      <span className="long">{rest}</span>
    </span>
  );
  return (
    <p className="fresh">
      <span className="long">
        <FreshnessMarks hours={freshness.hours} />
      </span>
      <Link to="/sources">{freshness.stale ? <Mark kind="warn">{words}</Mark> : words}</Link>
    </p>
  );
}
