/** Numbers for people. Minus is U+2212, thousands have commas, unknown is "N/A". */

export const UNKNOWN = "N/A";
const MINUS = "\u2212";

const STEPS: readonly (readonly [number, string])[] = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
];

/** Swaps the hyphen of a printed number for a real minus sign. */
function withMinus(text: string): string {
  return text.replace("-", MINUS);
}

/** A whole number with commas: 30,873. */
export function formatCount(count: number | null): string {
  if (count === null) return UNKNOWN;
  return withMinus(Math.round(count).toLocaleString("en-US"));
}

/** Tokens in three significant digits from 10,000 on: 241M, 36.0M, 1.04B; smaller numbers in full. */
export function formatTokens(tokens: number | null): string {
  if (tokens === null) return UNKNOWN;
  if (Math.abs(tokens) < 10_000) return formatCount(tokens);
  for (const [index, [size, letter]] of STEPS.entries()) {
    const text = (tokens / size).toPrecision(3);
    if (Math.abs(tokens) < size && Math.abs(Number(text)) < 1) continue;
    const larger = STEPS[index - 1];
    if (Math.abs(Number(text)) >= 1000 && larger) return withMinus((tokens / larger[0]).toPrecision(3) + larger[1]);
    return withMinus(text + letter);
  }
  return formatCount(tokens);
}

/** A share 0 to 1 in percent. A share that only rounds to 0 or 100 says so: "<1%", ">99%". */
export function formatShare(share: number | null, digits = 0): string {
  if (share === null) return UNKNOWN;
  const smallest = 10 ** -digits;
  const text = (share * 100).toFixed(digits);
  if (share > 0 && Number(text) === 0) return `<${smallest}%`;
  if (share < 1 && Number(text) === 100) return `>${(100 - smallest).toFixed(digits)}%`;
  return `${text}%`;
}

/** A change of a share, 0 to 1, in points with its sign: +0.6, −47.9. */
export function formatPoints(change: number | null): string {
  if (change === null) return UNKNOWN;
  const text = (change * 100).toFixed(1);
  if (Number(text) === 0) return "0.0";
  return change > 0 ? `+${text}` : withMinus(text);
}

/** A relative change of a count, with its sign: +3.1%. */
export function formatChange(change: number | null): string {
  return change === null ? UNKNOWN : `${formatPoints(change)}%`;
}

/** A rank correlation with its sign: −0.98, +0.14. */
export function formatCorrelation(rho: number | null): string {
  if (rho === null) return UNKNOWN;
  const text = rho.toFixed(2);
  return rho > 0 ? `+${text}` : withMinus(Number(text) === 0 ? "0.00" : text);
}

/** Requests an hour: 3,405/h; a rate below one keeps a digit. */
export function formatRate(requestsPerHour: number | null): string {
  if (requestsPerHour === null) return UNKNOWN;
  if (requestsPerHour > 0 && requestsPerHour < 0.95) return `${Math.max(requestsPerHour, 0.1).toFixed(1)}/h`;
  return `${formatCount(requestsPerHour)}/h`;
}

/** How long something took: 2.1 s, 4 min 12 s. */
export function formatSeconds(seconds: number | null): string {
  if (seconds === null) return UNKNOWN;
  if (seconds < 99.95) return `${seconds.toFixed(1)} s`;
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
