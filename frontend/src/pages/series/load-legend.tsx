import { Link, useSearchParams } from "react-router";

import type { HourState, PartsCut } from "../../api/types";
import { countStates, type TimedHour } from "../../lib/series-hours";
import { drawnHours } from "../../lib/series-load";
import { SIDE_COLOURS, sideOf, type Side } from "../../lib/series-parts";
import { readSeriesView, withColour } from "../../lib/series-url";

import { HourSwatches } from "./hour-swatches";

interface LoadLegendProps {
  hours: readonly TimedHour[];
  /** The repair that the dots can be coloured by, if there is one. */
  cut: PartsCut | null;
  /** The same, where they are. */
  chosen: PartsCut | null;
}

/** What the marks of the hero are, and the choice of their colour. */
export function LoadLegend({ hours, cut, chosen }: LoadLegendProps) {
  const counts = countStates(drawnHours(hours));
  const unplaced = countStates(hours).no_requests;
  return (
    <>
      {chosen ? <SideSwatches hours={hours} cut={chosen} /> : <HourSwatches>One dot is one linked hour, by hour of day</HourSwatches>}
      {MARKS.map(({ state, label, mark }) => counts[state] > 0 && (
        <span key={state}>
          <svg width="10" height="10" aria-hidden="true">{mark}</svg>
          {label} ({counts[state]})
        </span>
      ))}
      {unplaced > 0 && <span>not drawn: no request count ({unplaced})</span>}
      {cut && <ColourChoice cut={cut} />}
    </>
  );
}

const CROSS = <path className="na" d="M1.5 1.5l7 7m0 -7l-7 7" />;
const HOLLOW = <circle className="hol" cx="5" cy="5" r="4" />;

const MARKS: readonly { state: HourState; label: string; mark: React.ReactNode }[] = [
  { state: "after_gap", label: "after a gap", mark: HOLLOW },
  { state: "unknown_before", label: "the hour before is not known", mark: HOLLOW },
  { state: "settling", label: "settling", mark: <circle className="hol settle" cx="5" cy="5" r="4" /> },
  { state: "no_input", label: "no input", mark: CROSS },
  { state: "not_reported", label: "cached not reported", mark: CROSS },
];

/** Whether dots are coloured by hour of day or by the side of a repair they lie on. */
function ColourChoice({ cut: { word } }: { cut: PartsCut }) {
  const [search] = useSearchParams();
  const { colour } = readSeriesView(search);
  const choices = [["hour", "Hour of day"], ["rollout", `Before / after ${word}`]] as const;
  return (
    <span className="seg" role="group" aria-label="Colour dots by">
      {choices.map(([name, label]) => (
        <Link key={name} to={{ search: withColour(search, name).toString(), hash: "load" }} preventScrollReset replace aria-current={colour === name ? "true" : undefined}>{label}</Link>
      ))}
    </span>
  );
}

const SIDE_WORDS: Readonly<Record<Side, string>> = { before: "before", between: "while it shipped", after: "after" };

function SideSwatches({ hours, cut }: { hours: readonly TimedHour[]; cut: PartsCut }) {
  const used = hours.filter(({ state }) => state === "used").map(({ time }) => sideOf(time, cut));
  return (Object.keys(SIDE_WORDS) as Side[]).map((side) => {
    const count = used.filter((one) => one === side).length;
    if (count === 0 && side === "between") return null;
    return (
      <span key={side}>
        <svg width="10" height="10" aria-hidden="true"><circle className="dot" cx="5" cy="5" r="4" style={{ fill: SIDE_COLOURS[side] }} /></svg>
        {SIDE_WORDS[side]} {side === "between" ? "" : cut.word} ({count})
      </span>
    );
  });
}
