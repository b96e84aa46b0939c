/** Times for people, always in UTC. `now` is passed in. */

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

function padded(number: number): string {
  return String(number).padStart(2, "0");
}

/** 13:00 */
export function formatClock(time: string): string {
  const at = new Date(time);
  return `${padded(at.getUTCHours())}:${padded(at.getUTCMinutes())}`;
}

/** 26 Nov; takes a time or a plain date. */
export function formatDay(time: string): string {
  const at = new Date(time);
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()] ?? ""}`;
}

/** 26 Nov 2026 */
export function formatDate(time: string): string {
  return `${formatDay(time)} ${new Date(time).getUTCFullYear()}`;
}

/** Thu 26 Nov */
export function formatWeekday(time: string): string {
  return `${WEEKDAYS[new Date(time).getUTCDay()] ?? ""} ${formatDay(time)}`;
}

/** 26 Nov 13:00 */
export function formatMoment(time: string): string {
  return `${formatDay(time)} ${formatClock(time)}`;
}

/** Thu 26 Nov 13:00 */
export function formatHour(time: string): string {
  return `${formatWeekday(time)} ${formatClock(time)}`;
}

/** "13:00 UTC" today, "Thu 26 Nov 13:00 UTC" on another day. */
export function formatNear(time: string, now: Date): string {
  const sameDay = time.slice(0, 10) === now.toISOString().slice(0, 10);
  return `${sameDay ? formatClock(time) : formatHour(time)} UTC`;
}

/** "10 minutes ago", "in 3 hours", "now". */
export function formatAgo(time: string, now: Date): string {
  const elapsed = now.getTime() - new Date(time).getTime();
  const distance = spokenDistance(Math.abs(elapsed));
  if (distance === null) return "now";
  return elapsed >= 0 ? `${distance} ago` : `in ${distance}`;
}

function spokenDistance(milliseconds: number): string | null {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 1) return null;
  if (minutes < 60) return counted(minutes, "minute");
  const hours = Math.round(minutes / 60);
  return hours < 48 ? counted(hours, "hour") : counted(Math.round(hours / 24), "day");
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
