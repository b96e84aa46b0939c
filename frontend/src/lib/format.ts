/**
 * Numbers for people, digit for digit as the API's sentences print them (cachewatch/analysis/figures.py).
 * Minus is U+2212, thousands have commas, unknown is "N/A".
 */

export const UNKNOWN = "N/A";
const MINUS = "\u2212";
const UNITS: readonly (readonly [number, string])[] = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "k"],
];
const MORE_DIGITS = 30;
const HALF = "5".padEnd(MORE_DIGITS, "0");

/** A number with so many digits. An exact half goes to the even neighbour, as in Python; toFixed alone takes it upwards. */
export function formatFixed(value: number, digits = 0): string {
  const size = Math.abs(value);
  const exact = size.toFixed(digits + MORE_DIGITS);
  const cut = exact.slice(0, -MORE_DIGITS).replace(/\.$/, "");
  const text = exact.endsWith(HALF) && /[02468]$/.test(cut) ? cut : size.toFixed(digits);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/** A whole number with commas: 30,873. */
export function formatCount(count: number | null): string {
  return count === null ? UNKNOWN : formatFixed(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Tokens in three digits: 640, 9.50k, 36.0M, 241M, 1.04B. */
export function formatTokens(tokens: number | null): string {
  if (tokens === null) return UNKNOWN;
  const [size, unit] = UNITS.find(([least]) => Math.abs(tokens) >= least * 0.9995) ?? [1, ""];
  if (size === 1) return formatFixed(tokens);
  const scaled = tokens / size;
  return formatFixed(scaled, digitsOf(Math.abs(scaled))) + unit;
}

function digitsOf(scaled: number): number {
  if (scaled < 9.995) return 2;
  return scaled < 99.95 ? 1 : 0;
}

/** A round number beside an axis: 500, 2k, 2.5k. */
export function formatTick(count: number): string {
  return formatTokens(count).replace(/\.0+(?=[a-z])|(?<=\.\d)0(?=[a-z])/i, "");
}

/** A share 0 to 1 in percent. One that would round to 0% keeps a digit; a real zero does not. */
export function formatShare(share: number | null, digits = 0): string {
  if (share === null) return UNKNOWN;
  const shown = digits === 0 && share > 0 && share <= 0.005 ? 1 : digits;
  return `${formatFixed(share * 100, shown)}%`;
}

/** A change of a share, 0 to 1, in points with its sign: +0.6, −47.9. */
export function formatPoints(change: number | null): string {
  if (change === null) return UNKNOWN;
  const text = formatFixed(change * 100, 1);
  return change > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** A difference of shares, 0 to 1, in words: 48 points, 1.2 points, −5 points. */
export function pointWords(difference: number): string {
  const size = Math.abs(difference) * 100;
  const text = formatFixed(size, size >= 0.05 && size < 2.95 ? 1 : 0);
  const sign = difference < 0 && Number(text) !== 0 ? MINUS : "";
  return `${sign}${text} ${text === "1" ? "point" : "points"}`;
}

/** A relative change of a count, with its sign: +3.1%. */
export function formatChange(change: number | null): string {
  return change === null ? UNKNOWN : `${formatPoints(change)}%`;
}

/** A rank correlation with its sign: −0.98, +0.14. */
export function formatCorrelation(rho: number | null, digits = 2): string {
  if (rho === null) return UNKNOWN;
  const text = formatFixed(rho, digits);
  return rho > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** Requests an hour: 3,405/h; a rate below one keeps a digit. */
export function formatRate(requestsPerHour: number | null): string {
  if (requestsPerHour === null) return UNKNOWN;
  if (requestsPerHour > 0 && requestsPerHour < 0.95) return `${formatFixed(Math.max(requestsPerHour, 0.1), 1)}/h`;
  return `${formatCount(requestsPerHour)}/h`;
}

/** How long something took: 2.1 s, 4 min 12 s. */
export function formatSeconds(seconds: number | null): string {
  if (seconds === null) return UNKNOWN;
  if (seconds < 99.95) return `${formatFixed(seconds, 1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** "1 hour", "2 hours", "1,204 hours". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

const WORDS = [
  "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
] as const;

/** Small counts as words inside a sentence: two, twelve, 13. */
export function countWord(count: number): string {
  return WORDS[count] ?? formatCount(count);
}

/** First, 2nd, 3rd revision: 1st, 2nd, 3rd, 11th, 21st. */
export function ordinal(nth: number): string {
  const tail = nth % 100;
  const ending = tail > 10 && tail < 14 ? "th" : (["th", "st", "nd", "rd"][nth % 10] ?? "th");
  return `${formatCount(nth)}${ending}`;
}

/** Words in which "to 69%" stays on one line. */
export function keepTogether(words: string): string {
  return words.replace(/ to (?=\d+%)/g, "\u00a0to\u00a0");
}
