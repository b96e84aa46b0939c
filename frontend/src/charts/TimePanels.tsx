import "./charts.css";

import { memo, useMemo } from "react";

import { lonePoints } from "./broken-line";
import type { TimeMarker } from "./marker-layout";
import { Picker, type IndexRange } from "./Picker";
import { ShareAxis } from "./ShareAxis";
import {
  barPath, dashedPath, loadPath, slotAt, slotRuns, solidPath, solidPoints, timeFrame, timeTicks,
  type TimeFrame, type TimeSlot, type TimeTick,
} from "./time-layout";
import { TimeMarkerLinks, TimeMarkers } from "./TimeMarkers";
import { useChartWidth } from "./use-chart-width";

/** The words of the drawing. Keep the object the same from one rendering to the next. */
export interface TimePanelWords {
  shareTitle: string;
  loadTitle: string;
  formatLoad: (load: number) => string;
  formatTick: (tick: TimeTick, narrow: boolean) => string;
  /** Set above the slots that are not final yet. */
  dashedTitle: string;
  /** Set inside a wide stretch of unknown slots. */
  unknownTitle: string;
}

interface TimePanelsProps {
  finding: string;
  slots: readonly TimeSlot[];
  slotMs: number;
  words: TimePanelWords;
  /** Moments inside the slots; keep the array the same from one rendering to the next. */
  markers?: readonly TimeMarker[];
  pickerLabel: string;
  /** Starts of the picked slots. */
  picked: ReadonlySet<number>;
  onPick: (start: number | null) => void;
  wordsOf: (start: number) => string;
  range: IndexRange | null;
  onRange: (range: IndexRange | null, done: boolean) => void;
}

const SHARE_STEPS = [0, 0.5, 1];

/** A share over a load on one time axis: two panels, one scale each, gaps hatched and never drawn as zero. */
export function TimePanels(props: TimePanelsProps) {
  const { width, narrow, box } = useChartWidth();
  const { slots, slotMs, words } = props;
  const frame = useMemo(() => timeFrame(slots, slotMs, width, narrow), [slots, slotMs, width, narrow]);
  const index = slots.findIndex((slot) => props.picked.has(slot.start));
  const startAt = (place: number | null) => (place === null ? null : (slots[place]?.start ?? null));
  const picked = startAt(index);
  return (
    <div className="chartbox" ref={box}>
      <svg className="chart" viewBox={`0 0 ${width} ${frame.height}`} role="img" aria-label={props.finding}>
        <Drawing {...words} slots={slots} slotMs={slotMs} frame={frame} />
        {props.markers && <TimeMarkers markers={props.markers} frame={frame} />}
        <Brush range={props.range} frame={frame} />
        <Picked slots={slots} picked={props.picked} frame={frame} />
      </svg>
      <Picker
        label={props.pickerLabel}
        count={slots.length}
        index={index < 0 ? null : index}
        words={picked === null ? "none picked" : props.wordsOf(picked)}
        locate={(x) => slotAt(x, slots.length, frame)}
        onPick={(place) => props.onPick(startAt(place))}
        range={props.range}
        onRange={props.onRange}
      />
      {props.markers && <TimeMarkerLinks markers={props.markers} frame={frame} />}
    </div>
  );
}

interface PanelProps {
  slots: readonly TimeSlot[];
  frame: TimeFrame;
}

/** Everything that stays as it is while places are picked: hundreds of slots must not be drawn again for each. */
const Drawing = memo(function Drawing({ slots, slotMs, frame, ...words }: PanelProps & TimePanelWords & { slotMs: number }) {
  return (
    <>
      <Spans slots={slots} frame={frame} unknownTitle={words.unknownTitle} />
      <ShareAxis left={frame.left} right={frame.right} place={frame.placeShare} steps={SHARE_STEPS} />
      <LoadAxis frame={frame} format={words.formatLoad} />
      <TimeGrid ticks={timeTicks(slots, slotMs, frame)} frame={frame} format={words.formatTick} />
      <Loads slots={slots} frame={frame} />
      <Shares slots={slots} frame={frame} />
      <text className="lab" x={frame.left} y={18}>{words.shareTitle}</text>
      <text className="lab" x={frame.left + 4} y={175}>{words.loadTitle}</text>
      <DashedTitle slots={slots} frame={frame} title={words.dashedTitle} />
    </>
  );
});

const UNKNOWN_TITLE_ROOM = 70;

function Spans({ slots, frame, unknownTitle }: PanelProps & { unknownTitle: string }) {
  return slotRuns(slots, ["empty", "unknown"]).map(({ kind, from, to }) => {
    const x = frame.left + from * frame.slotWidth;
    const width = (to - from) * frame.slotWidth;
    const className = kind === "empty" ? "hatch" : "hatch-unknown";
    return (
      <g key={from}>
        <rect className={className} x={x} y={frame.shareTop} width={width} height={frame.loadFoot - frame.shareTop} />
        {kind === "unknown" && width > UNKNOWN_TITLE_ROOM && (
          <text className="lab haloed" x={x + width / 2} y={100} textAnchor="middle">{unknownTitle}</text>
        )}
      </g>
    );
  });
}

function LoadAxis({ frame, format }: { frame: TimeFrame; format: (load: number) => string }) {
  return (
    <>
      <text x={frame.left - 8} y={frame.placeLoad(frame.loadTick) + 4} textAnchor="end">{format(frame.loadTick)}</text>
      <text x={frame.left - 8} y={frame.loadFoot + 4} textAnchor="end">0</text>
      <line className="axis" x1={frame.left} x2={frame.right} y1={frame.loadFoot} y2={frame.loadFoot} />
    </>
  );
}

function TimeGrid({ ticks, frame, format }: { ticks: TimeTick[]; frame: TimeFrame; format: TimePanelWords["formatTick"] }) {
  return ticks.map((tick) => {
    const x = frame.placeTime(tick.time);
    return (
      <g key={tick.time}>
        <line className="grid" x1={x} x2={x} y1={frame.shareTop} y2={frame.loadFoot + 5} />
        {tick.labelled && <text x={x + 4} y={frame.height - 6}>{format(tick, frame.narrow)}</text>}
      </g>
    );
  });
}

function Loads({ slots, frame }: PanelProps) {
  const unfinished = slots.filter((slot) => slot.kind === "dashed" && slot.load !== null && slot.load > 0);
  return (
    <>
      <path className="load" d={loadPath(slots, frame)} />
      {unfinished.map((slot) => <path key={slot.start} className="load dash" d={barPath(slot, frame)} />)}
    </>
  );
}

function Shares({ slots, frame }: PanelProps) {
  const small = frame.slotWidth < 3 ? 2 : 3;
  const apart = slots.filter((slot) => slot.kind === "hollow" && slot.share !== null);
  const crossed = slots.filter((slot) => slot.kind === "cross");
  const middleOf = (slot: TimeSlot) => frame.placeTime(slot.start) + frame.slotWidth / 2;
  return (
    <>
      <path className="share" d={solidPath(slots, frame)} />
      <path className="share dash" d={dashedPath(slots, frame)} />
      {lonePoints(solidPoints(slots, frame)).map(({ x, y }) => <circle key={x} className="sharedot" cx={x} cy={y} r={2} />)}
      {apart.map((slot) => (
        <circle key={slot.start} className="hol" cx={middleOf(slot)} cy={frame.placeShare(slot.share ?? 0)} r={small} />
      ))}
      {crossed.map((slot) => (
        <path key={slot.start} className="na" d={`M${middleOf(slot) - 3} ${frame.shareFoot - 9}l6 6m0 -6l-6 6`} />
      ))}
    </>
  );
}

function DashedTitle({ slots, frame, title }: PanelProps & { title: string }) {
  const last = slotRuns(slots, ["dashed"]).at(-1);
  if (!last) return null;
  const [x1, x2] = [frame.left + last.from * frame.slotWidth, frame.left + last.to * frame.slotWidth];
  return (
    <>
      <text x={x2} y={15} textAnchor="end">{title}</text>
      <path className="axis" d={`M${x1} 24V21H${x2}V24`} />
    </>
  );
}

function Brush({ range, frame }: { range: IndexRange | null; frame: TimeFrame }) {
  if (!range) return null;
  const [from, to] = [Math.min(range.from, range.to), Math.max(range.from, range.to) + 1];
  const height = frame.loadFoot - frame.shareTop;
  const x = frame.left + from * frame.slotWidth;
  return <rect className="brush" x={x} y={frame.shareTop} width={(to - from) * frame.slotWidth} height={height} />;
}

function Picked({ slots, picked, frame }: PanelProps & { picked: ReadonlySet<number> }) {
  return slots.filter((slot) => picked.has(slot.start)).map((slot) => {
    const x = frame.placeTime(slot.start) + frame.slotWidth / 2;
    return (
      <g key={slot.start}>
        <line className="hair" x1={x} x2={x} y1={frame.shareTop} y2={frame.loadFoot} />
        {slot.share !== null && <circle className="ring" cx={x} cy={frame.placeShare(slot.share)} r={4.5} />}
      </g>
    );
  });
}
