import type { EvidenceNumbers, EvidencePoint, EvidenceRow, MissedCause, MissedPart } from "../api/types";
import type { BarPart } from "../charts/PartsBar";
import type { BarLine, BarRow, RowBar } from "../charts/BarRows";
import { formatCount, formatFixed, formatShare, plural } from "./format";
import { csvAddress } from "./series-csv";
import { formatClock, formatWeekday } from "./time";

/** Rows of the strip; more arms are in the table alone. */
export const MOST_ROWS = 8;

const FILLS: Partial<Record<MissedCause, string>> = {
  "routing-scatter": "var(--m-route)",
  "key-churn": "var(--m-key)",
  "key-too-hot": "var(--c-marker)",
  "account-switch": "var(--m-account)",
  "gateway-arm": "var(--c-share)",
  "fan-out-race": "var(--v-flat)",
  plateau: "var(--m-first)",
  "mid-history-divergence": "var(--v-rises)",
  "writes-without-reads": "var(--v-zero)",
  "size-correlated-eviction": "var(--c-load-ink)",
};

/** The colour of a cause; null, hatched, where it is unknown. */
export function causeFill(cause: MissedCause): string | null {
  return cause === "unknown" ? null : (FILLS[cause] ?? "var(--m-tail)");
}

/** The missed tokens as parts of one bar, without causes of none. Nothing missed: the unknown is the whole. */
export function barParts(missed: readonly MissedPart[]): BarPart[] {
  const nothing = missed.every(({ tokens }) => tokens === 0);
  return missed.filter(({ cause, tokens }) => tokens > 0 || (nothing && cause === "unknown")).map(({ cause, share, percent, word }) => ({
    key: cause,
    share: nothing ? Number(cause === "unknown") : (share ?? 0),
    fill: causeFill(cause),
    amount: percent,
    name: word.charAt(0).toLowerCase() + word.slice(1),
  }));
}

/** "Wed 25 Nov 13:10:04 to 13:26:41 UTC"; null where the log has no times. */
export function spanWords({ first_at, last_at }: Pick<EvidenceNumbers, "first_at" | "last_at">): string | null {
  if (first_at === null || last_at === null) return null;
  const sameDay = first_at.slice(0, 10) === last_at.slice(0, 10);
  const end = sameDay ? clock(last_at) : `${formatWeekday(last_at)} ${clock(last_at)}`;
  return `${formatWeekday(first_at)} ${clock(first_at)} to ${end} UTC`;
}

/** 13:10:04 */
export function clock(time: string): string {
  return `${formatClock(time)}:${String(new Date(time).getUTCSeconds()).padStart(2, "0")}`;
}

/** One row for each arm on the axis of all requests; of a log without arms one row. */
export function stripRows({ points, arms }: Pick<EvidenceNumbers, "points" | "arms">): BarRow[] {
  const highest = Math.max(1, ...points.map(({ input_tokens }) => input_tokens));
  const rows = arms.length > 0 ? arms.map(({ label }) => label) : ["All requests"];
  return rows.slice(0, MOST_ROWS).map((name, arm) => {
    const own = points.flatMap((point, place) => (point.arm === arm || arms.length === 0 ? [barOf(point, place, highest)] : []));
    return { name, sub: rowSub(points, arms, arm, own.length), bars: own };
  });
}

function rowSub(points: readonly EvidencePoint[], arms: EvidenceNumbers["arms"], arm: number, shown: number): string {
  const own = arms[arm];
  if (!own) return `${plural(shown, "request")}, ${formatCount(points.filter(({ missed }) => missed).length)} missed`;
  return `${plural(shown, "request")}, ${formatCount(own.full)} of ${formatCount(own.n)} full, ${formatShare(own.pooled.share)} of tokens`;
}

function barOf(point: EvidencePoint, place: number, highest: number): RowBar {
  return {
    place,
    height: point.input_tokens / highest,
    filled: Math.min(point.cached_tokens, point.input_tokens) / highest,
    crossed: point.first,
    ticked: point.key_changed,
    title: pointWords(point, place),
  };
}

/** A request in one line. */
export function pointWords(point: EvidencePoint, place: number): string {
  const when = point.time === null ? "" : ` ${clock(point.time)} UTC`;
  const account = point.account === null ? "" : `, account ${point.account + 1}`;
  const rest = [point.first ? "first call of its prefix, cold by rule" : "", point.key_changed ? "key changed" : ""].filter(Boolean);
  return [`#${place + 1}${when}${account}: ${formatCount(point.cached_tokens)} of ${formatCount(point.input_tokens)} input tokens cached`, ...rest].join(", ");
}

const POINT_COLUMNS = ["request", "time_utc", "arm", "input_tokens", "cached_tokens", "read", "account", "first_call", "key_changed", "account_changed", "missed_by"];

/** The requests of the strip as a file, with the same numbers. */
export function pointsCsv({ points, arms }: Pick<EvidenceNumbers, "points" | "arms">): string {
  const rows = points.map((point, place) => [
    place + 1, point.time, arms[point.arm]?.label ?? null, point.input_tokens, point.cached_tokens, point.read,
    point.account === null ? null : point.account + 1, Number(point.first), Number(point.key_changed), Number(point.account_changed),
    point.missed ? (point.cause ?? "unknown") : null,
  ]);
  return csvAddress(POINT_COLUMNS, rows);
}

/** Where the account changed, each with the account it changed to. Too many say nothing. */
export function accountLines(points: readonly EvidencePoint[]): BarLine[] {
  const changes = points.flatMap(({ account_changed, account }, place) => (account_changed && account !== null ? [{ place, label: `to account ${account + 1}` }] : []));
  return changes.length > MOST_LINES ? changes.map(({ place }) => ({ place, label: "" })) : changes;
}

const MOST_LINES = 8;

/** "40% of 512 MB is read."; null once the log was read. */
export function readingWords({ state, progress }: Pick<EvidenceRow, "state" | "progress">): string | null {
  if (state !== "queued" && state !== "running") return null;
  if (state === "queued" || progress === null) return "The log waits for a worker; one log is read at a time.";
  const { bytes_read: read, bytes_total: total } = progress;
  if (read >= total) return "All of the log is read; its causes are being worked out.";
  return `${formatShare(read / total)} of ${formatFixed(total / 1e6, total < 1e7 ? 1 : 0)} MB is read.`;
}

/** "66 requests, 3 arms". */
export function sizeWords(row: EvidenceRow, numbers: EvidenceNumbers): string {
  const arms = numbers.arms.length > 0 ? `, ${plural(numbers.arms.length, "arm")}` : "";
  return `${plural(row.requests ?? 0, "request")}${arms}`;
}
