import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link, useSearchParams } from "react-router";

import { seriesMarkersQuery } from "../../api/markers";
import type { HourState, SeriesDetail, SeriesHours } from "../../api/types";
import type { IndexRange } from "../../charts/Picker";
import type { TimeTick } from "../../charts/time-layout";
import { TimePanels, type TimePanelWords } from "../../charts/TimePanels";
import { formatTick, plural } from "../../lib/format";
import { timeMarkers } from "../../lib/markers";
import { missingWords, NOT_FETCHED } from "../../lib/pushed";
import { countStates, fillHours, type TimedHour } from "../../lib/series-hours";
import { onsetMarkers, timelineHeading, timelineSlots } from "../../lib/series-timeline";
import { hoursCsvPath, LONGEST_SPAN_HOURS, withSpan, type HourSpan } from "../../lib/series-url";
import { formatClock, formatDay, formatHour, formatWeekday, HOUR_MS } from "../../lib/time";

import { ChartSection } from "./chart-section";
import { HourTable } from "./hour-table";
import { usePicking } from "./picked-hours";
import { wordsAt } from "./share-load-plot";

interface ShareTimelineProps {
  series: SeriesDetail;
  answer: SeriesHours;
  /** The hours chosen in the address; null is the window of the verdict. */
  span: HourSpan | null;
}

/** Share over load, hour by hour. Dragging, or Shift with the arrow keys and Enter, chooses hours. */
export function ShareTimeline({ series, answer, span }: ShareTimelineProps) {
  const hours = useMemo(() => fillHours(answer.items, answer.start, answer.end), [answer]);
  const slots = useMemo(() => timelineSlots(hours), [hours]);
  const byTime = useMemo(() => new Map(hours.map((hour) => [hour.time, hour])), [hours]);
  const heading = useMemo(() => timelineHeading(hours), [hours]);
  const missing = missingWords(series.source);
  const finding = useMemo(() => timelineFinding(hours, missing), [hours, missing]);
  const marked = useQuery(seriesMarkersQuery(series.id)).data?.items;
  const onsets = useMemo(() => onsetMarkers(series, answer), [series, answer]);
  const shown = useMemo(() => timeMarkers(marked ?? [], Date.parse(answer.start), Date.parse(answer.end), series.id), [marked, answer, series.id]);
  const markers = useMemo(() => [...onsets, ...shown], [onsets, shown]);
  const { times, words, pick } = usePicking("timeline");
  const { range, onRange } = useSpanDrawing(hours);
  const wordsOf = (time: number) => wordsAt(byTime, time, missing);
  return (
    <ChartSection
      id="timeline"
      title={heading}
      how="share and requests by hour, UTC"
      csv={hoursCsvPath(series.path, span)}
      acts={<SpanLinks end={Date.parse(answer.end)} span={span} />}
      legend={<TimelineLegend hours={hours} missing={missing} hasOnset={onsets.length > 0} hasMarkers={shown.length > 0} />}
      chart={
        <TimePanels
          finding={finding}
          slots={slots}
          slotMs={HOUR_MS}
          words={WORDS}
          markers={markers}
          pickerLabel="Hours in order. Shift with the arrow keys chooses hours, Enter shows them alone"
          picked={times}
          onPick={(time) => pick(time === null ? [] : [time], time === null ? "" : wordsOf(time))}
          wordsOf={wordsOf}
          range={range}
          onRange={onRange}
        />
      }
      words={words}
      hint="Point at an hour for its raw numbers. Drag, or hold Shift with the arrow keys and press Enter, to see some hours alone."
      table={<HourTable caption="Hours in order" hours={hours} missing={missing} />}
      note={span ? spanNote(span) : undefined}
    />
  );
}

const WORDS: TimePanelWords = {
  shareTitle: "cached share",
  loadTitle: "requests/h",
  formatLoad: formatTick,
  formatTick: tickText,
  dashedTitle: "settling",
  unknownTitle: "not known",
};

/** The span being drawn; done, it goes into the address. */
function useSpanDrawing(hours: readonly TimedHour[]) {
  const [search, setSearch] = useSearchParams();
  const [range, setRange] = useState<IndexRange | null>(null);
  const onRange = (next: IndexRange | null, done: boolean) => {
    setRange(done ? null : next);
    const first = next && hours[Math.min(next.from, next.to)];
    const last = next && hours[Math.max(next.from, next.to)];
    if (!done || !first || !last) return;
    setSearch(withSpan(search, { from: first.time, to: last.time + HOUR_MS }), { preventScrollReset: true });
  };
  return { range, onRange };
}

function SpanLinks({ end, span }: { end: number; span: HourSpan | null }) {
  const [search] = useSearchParams();
  const month = { from: end - LONGEST_SPAN_HOURS * HOUR_MS, to: end };
  const isMonth = span !== null && span.to - span.from === LONGEST_SPAN_HOURS * HOUR_MS;
  const to = (next: HourSpan | null) => ({ search: withSpan(search, next).toString(), hash: "timeline" });
  return (
    <>
      {!isMonth && <Link to={to(month)} preventScrollReset>28 days</Link>}
      {span && <Link to={to(null)} preventScrollReset>Whole window</Link>}
    </>
  );
}

function spanNote(span: HourSpan): string {
  const [from, to] = [span.from, span.to].map((time) => formatHour(new Date(time).toISOString()));
  const hours = plural((span.to - span.from) / HOUR_MS, "hour");
  return `${hours}, ${from ?? ""} to ${to ?? ""} UTC. The verdict, its thirds and its thresholds stay those of their own window.`;
}

function timelineFinding(hours: readonly TimedHour[], missing: string): string {
  const counts = countStates(hours);
  return (
    `Cached share and requests per hour over ${plural(hours.length, "hour")}. ${timelineHeading(hours)}. ` +
    `${plural(counts.no_traffic, "hour")} without traffic, ${counts.missing} ${missing === NOT_FETCHED ? missing : `where ${missing}`},${counts.in_part > 0 ? ` ${counts.in_part} read in part,` : ""} ${counts.settling} settling.`
  );
}

function tickText(tick: TimeTick, narrow: boolean): string {
  const time = new Date(tick.time).toISOString();
  if (tick.unit === "hour") return formatClock(time);
  return narrow ? (formatDay(time).split(" ")[0] ?? "") : formatWeekday(time);
}

interface TimelineLegendProps {
  hours: readonly TimedHour[];
  missing: string;
  hasOnset: boolean;
  hasMarkers: boolean;
}

function TimelineLegend({ hours, missing, hasOnset, hasMarkers }: TimelineLegendProps) {
  const counts = countStates(hours);
  const apart = counts.after_gap + counts.unknown_before;
  const unfinished = hours.some(({ state, requests }) => (state === "settling" || state === "open") && requests !== null);
  return (
    <>
      <span><svg width="22" height="10" aria-hidden="true"><path className="share" d="M0 5H22" /></svg>cached share</span>
      {unfinished && (
        <span><svg width="22" height="10" aria-hidden="true"><path className="share dash" d="M0 5H22" /></svg>still settling</span>
      )}
      <span><svg width="14" height="10" aria-hidden="true"><rect className="load" width="14" height="10" /></svg>requests per hour</span>
      {counts.no_traffic > 0 && (
        <span><svg width="14" height="10" aria-hidden="true"><rect className="hatch" width="14" height="10" /></svg>no traffic</span>
      )}
      {counts.missing + counts.in_part > 0 && (
        <span><svg width="14" height="10" aria-hidden="true"><rect className="hatch-unknown" width="14" height="10" /></svg>{unknownWords(counts, missing)}</span>
      )}
      {apart > 0 && <span><svg width="8" height="8" aria-hidden="true"><circle className="hol" cx="4" cy="4" r="3" /></svg>{counts.unknown_before > 0 ? "after a gap, or the hour before is not known" : "first hour after a gap"}</span>}
      {(hasOnset || hasMarkers) && (
        <span><svg width="8" height="12" aria-hidden="true"><path className="marker" d="M4 0V12" /></svg>{legendWords(hasOnset, hasMarkers)}</span>
      )}
      {counts.no_input + counts.not_reported > 0 && (
        <span><svg width="8" height="8" aria-hidden="true"><path className="na" d="M1 1l6 6m0 -6l-6 6" /></svg>share N/A</span>
      )}
    </>
  );
}

/** Hours of which nothing is known: missing, or with a row that could not be placed. */
function unknownWords({ missing, in_part: inPart }: Record<HourState, number>, words: string): string {
  if (inPart === 0) return `${words}, unknown`;
  return missing === 0 ? "read in part, unknown" : `${words} or read in part, unknown`;
}

function legendWords(hasOnset: boolean, hasMarkers: boolean): string {
  if (!hasMarkers) return "onset";
  return hasOnset ? "onset, marked changes" : "marked changes";
}
