import type { SeriesDetail } from "../../api/types";

/** What was decided at the end of the last service day, beside a verdict that follows every hour. */
export function DecisionLine({ decision }: Pick<SeriesDetail, "decision">) {
  if (decision === null) return null;
  return <p className="sub lede">{decision.sentence}</p>;
}
