import { group } from "d3-array";

import type { ScatterPoint } from "../charts/scatter-layout";
import type { MinuteOfSeries, MinuteTest, SeriesMinutes } from "../api/types";
import { formatCorrelation, formatCount, formatFixed, formatPoints, formatShare, formatTokens, plural, UNKNOWN } from "./format";
import { formatHour, HOUR_MS } from "./time";

/** The quieter or the busier half of the minutes of one hour, pooled. */
export interface MinuteHalf {
  minutes: number;
  /** Mean of a minute. */
  requests: number;
  cached: number;
  input: number;
  share: number;
}

/** One hour in two halves by the load of its minutes: what falls from one to the other falls within the hour. */
export interface HourHalves {
  /** Start of the hour in milliseconds since the epoch. */
  time: number;
  quieter: MinuteHalf;
  busier: MinuteHalf;
}

type KnownMinute = MinuteOfSeries & { requests: number; input_tokens: number; cached_tokens: number };

/** Fewer minutes than this in an hour are no two halves. */
const LEAST_MINUTES = 10;

/** The hours of the day in halves; minutes without known requests and tokens, and hours with few minutes, are left out. */
export function hourHalves(minutes: readonly MinuteOfSeries[]): HourHalves[] {
  const hours = group(minutes.filter(isKnown), (minute) => Math.floor(Date.parse(minute.at) / HOUR_MS) * HOUR_MS);
  return [...hours].filter(([, ofHour]) => ofHour.length >= LEAST_MINUTES).map(([time, ofHour]) => {
    const sorted = [...ofHour].sort((a, b) => a.requests - b.requests);
    const middle = Math.floor(sorted.length / 2);
    return { time, quieter: pooled(sorted.slice(0, middle)), busier: pooled(sorted.slice(-middle)) };
  });
}

function isKnown(minute: MinuteOfSeries): minute is KnownMinute {
  return minute.requests !== null && minute.cached_tokens !== null && minute.input_tokens !== null && minute.input_tokens > 0;
}

function pooled(minutes: readonly KnownMinute[]): MinuteHalf {
  const sum = (value: (minute: KnownMinute) => number) => minutes.reduce((total, minute) => total + value(minute), 0);
  const [cached, input] = [sum((minute) => minute.cached_tokens), sum((minute) => minute.input_tokens)];
  return { minutes: minutes.length, requests: sum((minute) => minute.requests) / minutes.length, cached, input, share: cached / input };
}

/** One line of raw numbers for an hour. */
export function halvesWords({ time, quieter, busier }: HourHalves): string {
  const half = ({ share, cached, input, requests }: MinuteHalf) =>
    `${formatShare(share, 1)} (${formatTokens(cached)} of ${formatTokens(input)} tokens) at ${requestRate(requests)}`;
  return `${formatHour(new Date(time).toISOString())} UTC. Quieter minutes cached ${half(quieter)}, busier ones ${half(busier)}.`;
}

/** Requests of a mean minute: 12 a minute; small ones keep a digit. */
export function requestRate(requests: number): string {
  return `${requests < 9.95 ? formatFixed(requests, 1) : formatCount(requests)} requests a minute`;
}

/** "Mon 23 Nov 02:00 to Tue 24 Nov 02:00 UTC" */
export function dayWords({ start, end }: Pick<SeriesMinutes, "start" | "end">): string {
  if (start === null || end === null) return "";
  return `${formatHour(start)} to ${formatHour(end)} UTC`;
}

export interface TestFigure {
  label: string;
  value: string;
  unit?: string;
  sub: string;
}

/** The test of the minutes as figures. The API gives the slope on ln(requests); a doubling is ln 2 of it. */
export function testFigures(test: MinuteTest): TestFigure[] {
  const { slope, standard_errors: errors, burstiness, minutes } = test;
  const size = errors === null || slope === null || errors === 0 ? null : Math.abs(slope / errors) * Math.LN2;
  return [
    {
      label: "Share per doubling",
      value: slope === null ? UNKNOWN : formatPoints(slope * Math.LN2),
      ...(slope !== null && { unit: "points" }),
      sub: size === null ? "too few minutes" : `standard error ${formatFixed(size * 100, 1)} points, within the hour`,
    },
    { label: "In standard errors", value: errors === null ? UNKNOWN : formatCorrelation(errors, 1), sub: errors === null ? "no slope to test" : "of the slope, from zero" },
    {
      label: "Burstiness",
      value: burstiness === null ? UNKNOWN : formatFixed(burstiness, 1),
      sub: "variance over mean of a minute's requests; 1 is evenly at random",
    },
    { label: "Minutes used", value: formatCount(minutes), sub: minutesUsedWords(test) },
  ];
}

/** With one minute an hour there is nothing to compare within it. */
function minutesUsedWords({ minutes, hours }: MinuteTest): string {
  const of = `of the busier half of the hours, ${plural(hours, "hour")}`;
  return minutes < LEAST_MINUTES * hours ? `${of}; an hour needs ${LEAST_MINUTES} to be compared within` : of;
}

/** The picture in one sentence, for those who do not see it. */
export function halvesFinding(halves: readonly HourHalves[]): string {
  const fewer = halves.filter(({ quieter, busier }) => busier.share < quieter.share).length;
  return `The busier half of the minutes is cached less than the quieter half in ${fewer} of ${plural(halves.length, "hour")}`;
}

/** The share of one minute; null where it holds no input or something was not reported. */
export function minuteShare(minute: MinuteOfSeries): number | null {
  return isKnown(minute) ? minute.cached_tokens / minute.input_tokens : null;
}

/** One dot for each minute with a request count, in ascending order of load; one without a share stands in the lane. */
export function minutePoints(minutes: readonly MinuteOfSeries[]): ScatterPoint[] {
  return minutes
    .flatMap((minute) => {
      if (minute.requests === null || minute.requests === 0) return [];
      const [time, share] = [Date.parse(minute.at), minuteShare(minute)];
      const mark = share === null ? ("cross" as const) : ("dot" as const);
      return [{ key: time, x: minute.requests, y: share, mark, colour: `var(--h${new Date(time).getUTCHours()})` }];
    })
    .sort((a, b) => a.x - b.x);
}

/** One line of raw numbers for a minute. */
export function minuteWords(minute: MinuteOfSeries): string {
  const requests = minute.requests === null ? "requests N/A" : plural(minute.requests, "request");
  const tokens = `${formatTokens(minute.cached_tokens)} of ${formatTokens(minute.input_tokens)} tokens`;
  return `${formatHour(minute.at)} UTC. ${requests}, cached ${formatShare(minuteShare(minute), 1)} (${tokens}).`;
}

/** The heading where no hour can be halved: all traffic comes in few minutes. */
export function fewMinutesHeading(minutes: readonly MinuteOfSeries[]): string {
  return `All traffic of the day comes in ${plural(minutes.length, "minute")}; no hour has ${LEAST_MINUTES} to compare`;
}
