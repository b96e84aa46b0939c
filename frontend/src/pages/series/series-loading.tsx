import type { SeriesAddress } from "../../api/series-detail";
import { useChartWidth } from "../../charts/use-chart-width";

/** The page while its series is on the way: its headings, and charts with their axes only. */
export function SeriesLoading({ address }: { address: SeriesAddress }) {
  return (
    <>
      <p className="crumb">
        <span>{address.source}</span>
      </p>
      <h1>{`${address.project} / ${address.model}`}</h1>
      <section className="sec">
        <h2>Share against load</h2>
        <ChartLoading what="the hours" height={420} />
      </section>
      <section className="sec">
        <h2>Share and requests by hour</h2>
        <ChartLoading what="the timeline" height={220} />
      </section>
    </>
  );
}

/** The axes of a chart whose numbers are on the way. */
export function ChartLoading({ what, height }: { what: string; height: number }) {
  const { width, box } = useChartWidth();
  return (
    <div className="chartbox" ref={box} aria-busy="true">
      <span className="vh">Loading {what}</span>
      <svg className="chart" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <path className="axis" d={`M44 20V${height - 30}H${width - 14}`} />
      </svg>
    </div>
  );
}
