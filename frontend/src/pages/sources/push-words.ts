import type { Source } from "../../api/types";

/** The heading over the connection of a source that others push to. */
export function pushHeading(source: Source): string {
  const what = source.kind === "requests" ? "requests" : "hourly buckets";
  if (source.paused) return `Paused: no ${what} are taken`;
  if (source.problem) return `Pushed ${what} have a problem`;
  if (source.last_run === null) return `Waiting for the first ${what} to be pushed`;
  return source.kind === "requests" ? "Pushed requests are counted into hours every minute" : "Pushed buckets are stored as they come";
}

/** What the facts of such a source say. */
export function pushWords({ kind, slug }: Source): { path: string; kept: string; settled: string } {
  if (kind === "requests") {
    return {
      path: `/api/v1/requests?source=${slug}`,
      kept: "requests for 30 days, who sent them only as hashes, no prompt; their hours for good",
      settled: "and a later request has come: an hour without one is idle only then",
    };
  }
  return {
    path: `/api/v1/buckets?source=${slug}`,
    kept: "the hours as they were sent",
    settled: "as of when it was sent",
  };
}

/** The sentence under the heading of the page. */
export function sourceLede(source: Source): string {
  if (source.kind === "requests") {
    return (
      "A gateway pushes what it saw, and cachewatch adds the requests up to hours. An hour that gets late requests is counted again and keeps its older value; " +
      "settling hours are left out of every verdict."
    );
  }
  if (source.kind === "buckets") return "Another system pushes its hours. One that it sends again keeps its older value; settling hours are left out of every verdict.";
  return (
    "OpenAI revises closed hours for a while. cachewatch reads the last 48 hours again every hour, keeps the older value of every revised bucket, and leaves " +
    "settling hours out of every verdict."
  );
}
