import { max } from "d3-array";
import { scaleLinear, scaleUtc } from "d3-scale";
import { utcDay, utcHour } from "d3-time";

import { brokenLinePath, round, type LinePoint } from "./broken-line";

/**
 * How a slot is drawn. solid: part of the line; dashed: not final yet; hollow: known, outside the line;
 * cross: present without a share; empty: known to hold nothing; unknown: nobody has looked.
 */
export type SlotKind = "solid" | "dashed" | "hollow" | "cross" | "empty" | "unknown";

/** One equal piece of time. Slots follow each other without holes. */
export interface TimeSlot {
  /** Milliseconds since the epoch. */
  start: number;
  kind: SlotKind;
  share: number | null;
  load: number | null;
}

export interface TimeFrame {
  narrow: boolean;
  width: number;
  height: number;
  left: number;
  right: number;
  shareTop: number;
  shareFoot: number;
  loadTop: number;
  loadFoot: number;
  slotWidth: number;
  /** From milliseconds to pixels. */
  placeTime: (time: number) => number;
  placeShare: (share: number) => number;
  placeLoad: (load: number) => number;
  /** The highest round load of the lower panel. */
  loadTick: number;
}

/** Where both panels stand. `taller`: pixels that the share panel gets beyond its usual 136. */
export function timeFrame(slots: readonly TimeSlot[], slotMs: number, width: number, narrow: boolean, taller = 0): TimeFrame {
  const [left, right] = narrow ? [34, width - 6] : [44, width - 14];
  const start = slots[0]?.start ?? 0;
  const time = scaleUtc([start, start + Math.max(slots.length, 1) * slotMs], [left, right]);
  const load = scaleLinear([0, max(slots, (slot) => slot.load ?? 0) || 1], [226 + taller, 182 + taller]);
  return {
    narrow,
    width,
    height: 250 + taller,
    left,
    right,
    shareTop: 26,
    shareFoot: 162 + taller,
    loadTop: 182 + taller,
    loadFoot: 226 + taller,
    slotWidth: (right - left) / Math.max(slots.length, 1),
    placeTime: (at) => round(time(at)),
    placeShare: (share) => round(162 + taller - share * (136 + taller)),
    placeLoad: (value) => round(load(value)),
    loadTick: load.ticks(3).filter((tick) => tick > 0).at(-1) ?? 1,
  };
}

function middle(slot: TimeSlot, frame: TimeFrame): number {
  return round(frame.placeTime(slot.start) + frame.slotWidth / 2);
}

/** The solid line: broken at every slot that is not part of it. */
export function solidPath(slots: readonly TimeSlot[], frame: TimeFrame): string {
  return brokenLinePath(solidPoints(slots, frame));
}

export function solidPoints(slots: readonly TimeSlot[], frame: TimeFrame): LinePoint[] {
  return slots.map((slot) => {
    const share = slot.kind === "solid" ? slot.share : null;
    return { x: middle(slot, frame), y: share === null ? null : frame.placeShare(share) };
  });
}

/** The dashed line: slots that are not final, joined to a solid slot right before them. */
export function dashedPath(slots: readonly TimeSlot[], frame: TimeFrame): string {
  const points = slots.map((slot, index) => {
    const joins = slot.kind === "solid" && slots[index + 1]?.kind === "dashed";
    const share = slot.kind === "dashed" || joins ? slot.share : null;
    return { x: middle(slot, frame), y: share === null ? null : frame.placeShare(share) };
  });
  return brokenLinePath(points);
}

/** Bars of the load as one path; a slot without a load has no bar. */
export function loadPath(slots: readonly TimeSlot[], frame: TimeFrame): string {
  return slots
    .filter((slot) => slot.kind !== "dashed" && slot.load !== null && slot.load > 0)
    .map((slot) => barPath(slot, frame))
    .join("");
}

export function barPath(slot: TimeSlot, frame: TimeFrame): string {
  const x1 = frame.placeTime(slot.start);
  const x2 = round(x1 + frame.slotWidth);
  return `M${x1} ${frame.loadFoot}V${frame.placeLoad(slot.load ?? 0)}H${x2}V${frame.loadFoot}Z`;
}

export interface SlotRun {
  kind: SlotKind;
  from: number;
  /** First slot after the run. */
  to: number;
}

/** Consecutive slots of one kind, as index ranges. */
export function slotRuns(slots: readonly TimeSlot[], kinds: readonly SlotKind[]): SlotRun[] {
  const runs: SlotRun[] = [];
  slots.forEach((slot, index) => {
    if (!kinds.includes(slot.kind)) return;
    const last = runs.at(-1);
    if (last && last.to === index && last.kind === slot.kind) last.to = index + 1;
    else runs.push({ kind: slot.kind, from: index, to: index + 1 });
  });
  return runs;
}

export interface TimeTick {
  time: number;
  unit: "day" | "hour";
  labelled: boolean;
}

/** A line at each UTC midnight, or at round hours when the range is short; labels only where they have room. */
export function timeTicks(slots: readonly TimeSlot[], slotMs: number, frame: TimeFrame): TimeTick[] {
  const [first, last] = [slots[0], slots.at(-1)];
  if (!first || !last) return [];
  const [start, end] = [new Date(first.start), new Date(last.start + slotMs)];
  const days = utcDay.range(utcDay.ceil(start), end);
  const pixelsADay = frame.slotWidth * (24 * 3_600_000) / slotMs;
  const isRoomy = (time: Date) => frame.right - frame.placeTime(time.getTime()) > (frame.narrow ? 18 : 62);
  if (pixelsADay > 400) return hourTicks(start, end, pixelsADay / 24, isRoomy);
  const every = Math.max(1, Math.ceil((frame.narrow ? 26 : 74) / pixelsADay));
  return days.map((day, index) => ({
    time: day.getTime(),
    unit: "day" as const,
    labelled: index % every === 0 && isRoomy(day),
  }));
}

function hourTicks(start: Date, end: Date, pixelsAnHour: number, isRoomy: (time: Date) => boolean): TimeTick[] {
  const step = [1, 2, 3, 6, 12].find((hours) => hours * pixelsAnHour >= 84) ?? 12;
  const every = utcHour.every(step) ?? utcHour;
  return every.range(every.ceil(start), end).map((hour) => ({
    time: hour.getTime(),
    unit: hour.getUTCHours() === 0 ? "day" : "hour",
    labelled: isRoomy(hour),
  }));
}

/** The slot under a horizontal place, or null outside the plot. */
export function slotAt(x: number, count: number, frame: TimeFrame): number | null {
  const index = Math.floor((x - frame.left) / frame.slotWidth);
  return index >= 0 && index < count ? index : null;
}
