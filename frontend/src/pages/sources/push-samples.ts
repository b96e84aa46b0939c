import type { Source } from "../../api/types";

const HOUR_MS = 3_600_000;
/** What stands for the time of the sample: a request that is weeks old is refused. */
const TIME = "<time>";
const ROW =
  '{"request_id": "chatcmpl-1", "timestamp": "<time>", "project": "assistant", "model": "gpt-5.4", "input_tokens": 4020, "cached_input_tokens": 3840}';
const HOUR =
  '{"start_time": "<time>", "rows": [{"project_id": "assistant", "model": "gpt-5.4", "requests": 120, "input_tokens": 482400, "cached_input_tokens": 301000}]}';
const TOKEN = "$CACHEWATCH_TOKEN";

/** How to push to a source, for each way it can be done; what a call pushes is of `now`. */
export function pushSamples({ kind, slug }: Pick<Source, "kind" | "slug">, origin: string, now: Date): { label: string; code: string }[] {
  if (kind === "buckets") return [{ label: "curl", code: curl(`${origin}/api/v1/buckets?source=${slug}`, `{"hours": [${HOUR.replace(TIME, inSeconds(lastHour(now)))}]}`) }];
  if (kind !== "requests") return [];
  return [
    { label: "curl", code: curl(`${origin}/api/v1/requests?source=${slug}`, `{"requests": [${ROW.replace(TIME, inSeconds(now))}]}`) },
    { label: "OpenTelemetry variables", code: variables(origin, slug) },
    { label: "OpenTelemetry collector", code: collector(origin, slug) },
  ];
}

/** The start of the last hour that has ended. */
function lastHour(now: Date): Date {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - HOUR_MS);
}

function inSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, "Z");
}

function curl(address: string, body: string): string {
  return [
    `curl --fail-with-body '${address}' \\`,
    `  --header "Authorization: Bearer ${TOKEN}" \\`,
    `  --json '${body}'`,
  ].join("\n");
}

function variables(origin: string, slug: string): string {
  return [
    `OTEL_EXPORTER_OTLP_ENDPOINT=${origin}/otlp`,
    "OTEL_EXPORTER_OTLP_PROTOCOL=http/json",
    `OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20${TOKEN},X-Cachewatch-Source=${slug}"`,
  ].join("\n");
}

function collector(origin: string, slug: string): string {
  return [
    "exporters:",
    "  otlphttp/cachewatch:",
    `    endpoint: ${origin}/otlp`,
    "    encoding: json",
    "    headers:",
    "      Authorization: Bearer ${env:CACHEWATCH_TOKEN}",
    `      X-Cachewatch-Source: ${slug}`,
  ].join("\n");
}
