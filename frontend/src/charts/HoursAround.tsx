import "./charts.css";

import { memo, useMemo } from "react";

import type { TimeMarker } from "./marker-layout";
import { Picker } from "./Picker";
import { ShareAxis } from "./ShareAxis";
import { spreadLabels } from "./spread-labels";
import { loadPath, slotAt, timeFrame, timeTicks, type TimeFrame, type TimeSlot, type TimeTick } from "./time-layout";
import { TimeMarkerLinks, TimeMarkers } from "./TimeMarkers";
import { useChartWidth } from "./use-chart-width";

/** One dot: where it belongs, and whether it stands out. */
export interface AroundSlot extends TimeSlot {
  side: "before" | "after" | "between";
  strong: boolean;
}

/** A level across a stretch of time, with its value at the end. */
export interface AroundLevel {
  from: number;
  to: number;
  share: number;
  text: string;
  side: "before" | "after";
}

interface HoursAroundProps {
  finding: string;
  slots: readonly AroundSlot[];
  slotMs: number;
  levels: readonly AroundLevel[];
  /** The stretch that belongs to neither side, half-open. */
  wash: readonly [number, number];
  markers: readonly TimeMarker[];
  loadTitle: string;
  shareTitle: string;
  formatTick: (tick: TimeTick, narrow: boolean) => string;
  pickerLabel: string;
  picked: ReadonlySet<number>;
  onPick: (start: number | null) => void;
  wordsOf: (start: number) => string;
}

const SHARE_STEPS = [0, 0.5, 1];
const LEVEL_ROOM = 52;
const TALLER = 120;

/** Hours on both sides of a moment: a dot for each share, bars for the load, a band for what is left out. */
export function HoursAround(props: HoursAroundProps) {
  const { width, narrow, box } = useChartWidth();
  const { slots, slotMs } = props;
  const frame = useMemo(() => timeFrame(slots, slotMs, width - LEVEL_ROOM, narrow, narrow ? 0 : TALLER), [slots, slotMs, width, narrow]);
  const index = slots.findIndex((slot) => props.picked.has(slot.start));
  const picked = slots[index];
  return (
    <div className="chartbox" ref={box}>
      <svg className="chart" viewBox={`0 0 ${width} ${frame.height}`} role="img" aria-label={props.finding}>
        <Wash wash={props.wash} frame={frame} />
        <Drawing slots={slots} slotMs={slotMs} frame={frame} shareTitle={props.shareTitle} loadTitle={props.loadTitle} formatTick={props.formatTick} />
        <Levels levels={props.levels} frame={frame} />
        <TimeMarkers markers={props.markers} frame={frame} />
        {picked && picked.share !== null && (
          <circle className="ring" cx={middle(picked, frame)} cy={frame.placeShare(picked.share)} r={5} />
        )}
      </svg>
      <Picker
        label={props.pickerLabel}
        count={slots.length}
        index={index < 0 ? null : index}
        words={picked ? props.wordsOf(picked.start) : "none picked"}
        locate={(x) => slotAt(x, slots.length, frame)}
        onPick={(place) => props.onPick(place === null ? null : (slots[place]?.start ?? null))}
      />
      <TimeMarkerLinks markers={props.markers} frame={frame} />
    </div>
  );
}

function middle(slot: TimeSlot, frame: TimeFrame): number {
  return frame.placeTime(slot.start) + frame.slotWidth / 2;
}

function Wash({ wash: [from, to], frame }: { wash: readonly [number, number]; frame: TimeFrame }) {
  const [x1, x2] = [frame.placeTime(from), frame.placeTime(to)];
  return <rect className="wash" x={x1} y={frame.shareTop - 6} width={Math.max(x2 - x1, 2)} height={frame.loadFoot - frame.shareTop + 6} />;
}

type DrawingProps = Pick<HoursAroundProps, "slots" | "slotMs" | "shareTitle" | "loadTitle" | "formatTick"> & { frame: TimeFrame };

/** Everything that stays as it is while hours are picked. */
const Drawing = memo(function Drawing({ slots, slotMs, frame, shareTitle, loadTitle, formatTick }: DrawingProps) {
  return (
    <>
      <ShareAxis left={frame.left} right={frame.right} place={frame.placeShare} steps={SHARE_STEPS} />
      <path className="load" d={loadPath(slots, frame)} />
      {timeTicks(slots, slotMs, frame).filter(({ labelled }) => labelled).map((tick) => (
        <text key={tick.time} x={frame.placeTime(tick.time)} y={frame.loadFoot + 18}>{formatTick(tick, frame.narrow)}</text>
      ))}
      {slots.map((slot) => slot.share !== null && <Dot key={slot.start} slot={slot} frame={frame} />)}
      <text className="lab" x={frame.left} y={14}>{shareTitle}</text>
      <text className="lab" x={frame.left + 4} y={frame.loadTop - 4}>{loadTitle}</text>
    </>
  );
});

function Dot({ slot, frame }: { slot: AroundSlot; frame: TimeFrame }) {
  const [x, y] = [middle(slot, frame), frame.placeShare(slot.share ?? 0)];
  if (slot.kind !== "solid" || slot.side === "between") return <circle className={slot.kind === "dashed" ? "hol settle" : "hol"} cx={x} cy={y} r={2.6} />;
  return <circle className={`${slot.side}${slot.strong ? "" : " faint"}`} cx={x} cy={y} r={slot.strong ? 3.2 : 2} />;
}

const LABEL_HEIGHT = 16;

/** A dashed line for each side; their values stand apart where the levels are close. */
function Levels({ levels, frame }: { levels: readonly AroundLevel[]; frame: TimeFrame }) {
  const places = spreadLabels(levels.map(({ share }) => ({ wanted: frame.placeShare(share), height: LABEL_HEIGHT })), frame.shareTop, frame.shareFoot);
  return levels.map(({ from, to, share, text, side }, index) => (
    <g key={side}>
      <line className={`${side}-s pooled`} x1={frame.placeTime(from)} x2={frame.placeTime(to)} y1={frame.placeShare(share)} y2={frame.placeShare(share)} />
      <text className="strong" x={frame.right + 6} y={(places[index] ?? 0) + 4}>{text}</text>
    </g>
  ));
}
