import { useState } from "react";

import type { EvidenceNumbers } from "../../api/types";
import { BarRows } from "../../charts/BarRows";
import { useChartWidth } from "../../charts/use-chart-width";
import { ScrollBox } from "../../ui/scroll-box";
import { Section } from "../../ui/section";
import { accountLines, clock, MOST_ROWS, pointsCsv, stripRows } from "../../lib/evidence";
import { formatCount } from "../../lib/format";

import { PointTable } from "./point-table";

/** Every request as a bar, one row for each arm on one axis. */
export function StripPart({ numbers }: { numbers: EvidenceNumbers }) {
  const { points } = numbers;
  const { width, box } = useChartWidth();
  const [asTable, setAsTable] = useState(false);
  const [first, last] = [points[0]?.time, points.at(-1)?.time];
  const ends = first && last ? ([`${clock(first)} UTC`, `${clock(last)} UTC`] as const) : null;
  return (
    <Section title={numbers.strip_heading} how={beside(numbers)} acts={
      <>
        <button className="linkbtn" type="button" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>{asTable ? "Chart" : "Table"}</button>
        <a href={pointsCsv(numbers)} download="requests.csv" aria-label="CSV of the requests">CSV</a>
      </>
    }>
      <Legend numbers={numbers} />
      <div ref={box}>
        {asTable ? (
          <PointTable numbers={numbers} />
        ) : (
          <ScrollBox label="Requests in the order sent">
            <BarRows rows={stripRows(numbers)} lines={accountLines(points)} count={points.length} width={width} ends={ends} label={`Cached and input tokens of ${formatCount(points.length)} requests in the order sent. ${numbers.strip_heading}.`} />
          </ScrollBox>
        )}
      </div>
    </Section>
  );
}

function beside({ points, points_of, arms }: EvidenceNumbers): string {
  const rest = points_of > points.length ? `, the first ${formatCount(points.length)} of ${formatCount(points_of)}` : "";
  const rows = arms.length > MOST_ROWS ? `, the first ${MOST_ROWS} of ${arms.length} arms` : "";
  return `one bar per request, in the order sent${rest}${rows}`;
}

function Legend({ numbers: { points } }: { numbers: EvidenceNumbers }) {
  return (
    <div className="legend">
      <span><svg className="barrows" width="12" height="12" aria-hidden="true"><rect className="filled" x=".5" y=".5" width="11" height="11" /></svg>cached tokens</span>
      <span><svg className="barrows" width="12" height="12" aria-hidden="true"><rect className="whole" x=".5" y=".5" width="11" height="11" /></svg>input tokens</span>
      {points.some(({ key_changed }) => key_changed) && <span><svg className="barrows" width="12" height="6" aria-hidden="true"><rect className="tickmark" width="12" height="4" y="1" /></svg>key changed</span>}
      {points.some(({ account_changed }) => account_changed) && <span><svg className="barrows" width="4" height="14" aria-hidden="true"><path className="switch" d="M2 0V14" /></svg>account changed</span>}
      {points.some(({ first }) => first) && <span><svg width="10" height="10" aria-hidden="true"><path className="na" d="M2 2l6 6m0-6l-6 6" /></svg>first call of its prefix, cold by rule</span>}
    </div>
  );
}
