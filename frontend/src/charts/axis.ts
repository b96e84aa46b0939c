import { extent } from "d3-array";
import { scaleLinear, scaleLog } from "d3-scale";

/** Values that span more than this many times are drawn on a log axis. */
export const LOG_SPAN = 20;

export interface ValueAxis {
  kind: "log" | "linear";
  /** From a value to pixels. */
  place: (value: number) => number;
  ticks: number[];
}

/**
 * An axis for positive values between two pixel positions: log where they span more than LOG_SPAN,
 * else linear, and linear whenever a value is not above zero. Ticks are whole numbers and stand at least `room` pixels apart.
 */
export function valueAxis(values: readonly number[], range: [number, number], room: number): ValueAxis {
  const [low, high] = extent(values);
  if (low === undefined) return { ...linearAxis(0, 1, range, room), ticks: [] };
  return low > 0 && high / low > LOG_SPAN ? logAxis(low, high, range, room) : linearAxis(low, high, range, room);
}

function logAxis(low: number, high: number, range: [number, number], room: number): ValueAxis {
  const scale = scaleLog([low * 0.74, high * 1.3], range);
  const place = (value: number) => scale(value);
  return { kind: "log", place, ticks: logTicks(low * 0.74, high * 1.3, place, room) };
}

const LOG_STEPS = [[1, 2, 5], [1, 3], [1]];

/** Round values inside the bounds: as many to a decade as stand `room` pixels apart. */
function logTicks(low: number, high: number, place: (value: number) => number, room: number): number[] {
  const choices = LOG_STEPS.map((steps) => decades(low, high, steps));
  const fitting = choices.find((ticks) => ticks.length > 1 && haveRoom(ticks.map(place), room));
  return fitting ?? choices.at(-1) ?? [];
}

function decades(low: number, high: number, steps: readonly number[]): number[] {
  const first = Math.floor(Math.log10(low));
  const count = Math.ceil(Math.log10(high)) - first + 1;
  return Array.from({ length: count }, (_, index) => steps.map((step) => step * 10 ** (first + index)))
    .flat()
    .filter((tick) => tick >= low && tick <= high);
}

function haveRoom(places: readonly number[], room: number): boolean {
  return places.every((place, index) => index === 0 || place - (places[index - 1] ?? place) >= room);
}

/** Starts at zero unless every value is far from it. */
function linearAxis(low: number, high: number, range: [number, number], room: number): ValueAxis {
  const margin = high > low ? (high - low) * 0.06 : Math.max(high * 0.1, 1);
  const start = low <= high * 0.5 ? 0 : low - margin;
  const scale = scaleLinear([start, high + margin], range);
  const count = Math.max(2, Math.floor((range[1] - range[0]) / (room * 1.6)));
  const ticks = scale.ticks(count).filter((tick) => Number.isInteger(tick));
  return { kind: "linear", place: (value) => scale(value), ticks };
}
