import type { SeriesDetail } from "../../api/types";

/** What was decided at the end of the last service day, beside a verdict that follows every hour. */
export function DecisionLine({ decision, verdict }: Pick<SeriesDetail, "decision" | "verdict">) {
  if (decision === null) return null;
  return <p className="sub lede">{[decision.sentence, ...otherCount(decision, verdict)].join(" ")}</p>;
}

/** Why a decision without a finding names another day than the verdict above it. */
function otherCount(decision: NonNullable<SeriesDetail["decision"]>, verdict: SeriesDetail["verdict"]): string[] {
  if (!decision.confirmed || decision.newest_differs || decision.is_finding || verdict === null) return [];
  if (verdict.is_finding || verdict.since === decision.since || verdict.code === decision.code) return [];
  return ["That day counts every verdict that is no finding; the day beside the verdict counts that verdict alone."];
}
