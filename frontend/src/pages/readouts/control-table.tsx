import { Link } from "react-router";

import type { ReadoutControls, ReadoutDetail, ReadoutNumbers } from "../../api/types";
import { IntervalBar, IntervalScale } from "../../charts/IntervalBar";
import { ScrollBox } from "../../ui/scroll-box";
import { Section } from "../../ui/section";
import { formatPoints, formatShare } from "../../lib/format";
import { pointScale, primaryOf, scaleEnds, standingOf } from "../../lib/readouts";

import { toneOf } from "./tone";

interface ControlTableProps {
  readout: ReadoutDetail;
  numbers: ReadoutNumbers;
}

/** What series without the repair did over the same windows, and the change beyond theirs. */
export function ControlTable({ readout, numbers }: ControlTableProps) {
  const { controls, net_change: net } = numbers;
  const stated = standingOf(readout.state) !== "unstated" && net.value !== null;
  const own = { change: net.value, interval: net.interval };
  const most = pointScale([...controls.series, controls, ...(stated ? [own] : [])]);
  const inPoints = primaryOf(numbers)?.name !== "input_cost_per_request";
  return (
    <Section title={heading(controls)} how="busy-hour share, same windows" fold={controls.series.length > 0 ? "the series" : undefined}>
      {controls.series.length > 0 && (
        <ScrollBox label="Control series">
          <table className="controls stacked" role="table">
            <caption className="vh">Control series</caption>
            <thead role="rowgroup">
              <tr role="row">
                <th role="columnheader" scope="col">Control series</th>
                <th role="columnheader" scope="col" className="num">Before</th>
                <th role="columnheader" scope="col" className="num">After</th>
                <th role="columnheader" scope="col" className="num">Points</th>
                <th role="columnheader" scope="col"><span className="vh">Interval</span><IntervalScale most={most} labels={scaleEnds(most)} /></th>
              </tr>
            </thead>
            <tbody role="rowgroup">
              {controls.series.map((one) => (
                <ControlRow key={one.series_id} name={<Link to={one.series_path}>{one.series_name}</Link>} before={one.before} after={one.after} change={one.change} interval={one.interval} most={most} tone="same" />
              ))}
              {controls.change !== null && <ControlRow name="Controls together" change={controls.change} interval={controls.interval} most={most} tone="same" strong />}
              {stated && inPoints && <ControlRow name={`${readout.series_name} minus controls`} change={net.value} interval={net.interval} most={most} tone={toneOf(readout.state)} strong bracketed={standingOf(readout.state) === "bracketed"} />}
            </tbody>
          </table>
        </ScrollBox>
      )}
      {controls.sentence !== null && <p className="note">{controls.sentence}</p>}
    </Section>
  );
}

function heading({ change }: ReadoutControls): string {
  if (change === null) return "Too few untouched series to hold it against";
  return `Untouched series moved by ${formatPoints(change)} points`;
}

interface ControlRowProps {
  name: React.ReactNode;
  before?: number;
  after?: number;
  change: number | null;
  interval: readonly [number, number] | null;
  most: number;
  tone: React.ComponentProps<typeof IntervalBar>["tone"];
  strong?: boolean;
  bracketed?: boolean;
}

function ControlRow({ name, before, after, change, interval, most, tone, strong = false, bracketed = false }: ControlRowProps) {
  const text = bracketed ? `(${formatPoints(change)})` : formatPoints(change);
  const bounds = interval ? interval.map(formatPoints).join(" to ") : "N/A";
  return (
    <tr role="row">
      <th role="rowheader" scope="row" className={strong ? "b" : undefined}>{name}</th>
      <td role="cell" className="num">{before !== undefined && <><i className="narrow-label">before</i>{formatShare(before, 1)}</>}</td>
      <td role="cell" className="num">{after !== undefined && <><i className="narrow-label">after</i>{formatShare(after, 1)}</>}</td>
      <td role="cell" className="num"><i className="narrow-label">points</i><span className={strong ? "b" : undefined}>{text}</span><span className="sub">{bounds}</span></td>
      <td role="cell" className="bar"><IntervalBar value={change} interval={interval} most={most} tone={tone} label={`${text} points, interval ${bounds}`} /></td>
    </tr>
  );
}
