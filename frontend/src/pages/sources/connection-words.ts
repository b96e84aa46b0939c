import type { Source } from "../../api/types";

/** The heading over a source's connection: what state it is in. */
export function connectionHeading(source: Source): string {
  const whom = source.kind === "demo" ? "Demo" : "OpenAI";
  if (source.key.state === "unreadable") return `${whom} key unreadable, enter it again`;
  if (source.key.state === "missing") return `${whom} key missing, enter it`;
  if (source.paused) return `${whom} connection is paused`;
  if (source.problem) return `${whom} connection has a problem`;
  if (source.kind === "demo") return "Demo data, read from the bundled simulator";
  return source.scopes.usage === "granted" ? "OpenAI connection is healthy" : "OpenAI connection is not tested yet";
}

/** What the key field shows: a hint of the key, or where it comes from; never the key. */
export function keyWords({ state, variable }: Source["key"]): string {
  if (state === "variable") return `read from ${variable}, never stored`;
  if (state === "missing" || state === "none") return "none";
  if (state === "unreadable") return "stored, but no key of CACHEWATCH_FIELD_KEYS opens it";
  return "never shown again";
}

const DIMENSIONS: Readonly<Record<string, string>> = { api_key_id: "API key", service_tier: "service tier", batch: "batch" };

function dimensionWord(name: string): string {
  return DIMENSIONS[name] ?? name;
}

/** By what the provider's answers are split. */
export function groupingWords(source: Source): string {
  const extra = source.grouping.filter((name) => !["project_id", "model"].includes(name));
  return ["project", "model", ...extra.map(dimensionWord)].join(", ");
}

/** What the provider refused to split by; null when nothing. */
export function refusedWords({ refused_grouping }: Source): string | null {
  if (refused_grouping.length === 0) return null;
  return `refused by the provider: ${refused_grouping.map(dimensionWord).join(", ")}`;
}
