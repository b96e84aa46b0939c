import type { SeriesKeyPlan } from "../../api/types";
import { FigureStrip, type Figure } from "../../ui/figure-strip";
import { formatCount, formatTokens, UNKNOWN } from "../../lib/format";
import { rateWords, shardWords } from "../../lib/key-plan";

/** The load that a key would have to carry, and the shards that follow from it. */
export function PlanFigures({ plan }: { plan: SeriesKeyPlan }) {
  return <FigureStrip figures={[busyMinute(plan), busiestMinute(plan), quietHour(plan), prefixes(plan), shards(plan), size(plan)]} />;
}

function busyMinute({ requests_per_minute: rate, by_minute: byMinute, assumed, rules }: SeriesKeyPlan): Figure {
  const label = "Busy minute";
  if (rate === null) return { label, value: UNKNOWN, sub: "requests are not reported" };
  const fit = `about ${formatCount(rules.requests_per_minute)} fit under a key`;
  const basis = assumed.requests_per_minute !== null ? "as you say, in 99 of 100 minutes" : byMinute ? "at most, in 99 of 100 minutes of the hours with traffic, empty minutes among them" : "at least: mean of the busiest hour";
  return { label, value: rateWords(rate), unit: "requests", sub: `${basis}; ${fit}` };
}

function busiestMinute({ busiest_minute: most, assumed }: SeriesKeyPlan): Figure {
  const label = "Busiest minute";
  if (most !== null) return { label, value: rateWords(most), unit: "requests", sub: "of the day that was read by the minute" };
  return { label, value: UNKNOWN, sub: assumed.requests_per_minute !== null ? "of the load you say, not known" : "no day was read by the minute" };
}

function quietHour({ quiet_requests_per_hour: quiet, rules }: SeriesKeyPlan): Figure {
  const label = "Quiet hour";
  if (quiet === null) return { label, value: UNKNOWN, sub: "too few hours with traffic" };
  return { label, value: formatCount(quiet), unit: "requests", sub: `quietest third; an entry lives ${lifetime(rules)}` };
}

function prefixes({ prefixes: known, assumed }: SeriesKeyPlan): Figure {
  const label = "Prefixes";
  if (known === null) return { label, value: UNKNOWN, sub: "hours do not tell how many; say it below" };
  return { label, value: formatCount(known), sub: assumed.prefixes !== null ? "as you say" : "of the log" };
}

function shards({ shards: range, unit }: SeriesKeyPlan): Figure {
  const label = "Shards";
  if (range === null) return { label, value: UNKNOWN, sub: unit === null ? "no key is planned" : "each unit has a key of its own" };
  const kept = range.kept_warm === null ? "quiet hours are too few to check" : `quiet hours keep ${formatCount(range.kept_warm)} warm`;
  return { label, value: shardWords(range), sub: range.needed === 1 ? "one key carries the load" : kept };
}

function size({ mean_input_tokens: mean, rules }: SeriesKeyPlan): Figure {
  const label = "Input a request";
  if (mean === null) return { label, value: UNKNOWN, sub: "tokens or requests are not reported" };
  return { label, value: formatTokens(mean), unit: "tokens", sub: `prefixes from ${formatCount(rules.minimum_tokens)} tokens are cached` };
}

/** "5 to 10 min", "30 min" */
export function lifetime({ lifetime_from_minutes: from, lifetime_to_minutes: to }: SeriesKeyPlan["rules"]): string {
  return from === to ? `${formatCount(from)} min` : `${formatCount(from)} to ${formatCount(to)} min`;
}
