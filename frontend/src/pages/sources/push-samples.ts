import type { Source } from "../../api/types";

const ROW =
  '{"request_id": "chatcmpl-1", "timestamp": "2026-11-20T13:00:00Z", "project": "assistant", "model": "gpt-5.4", "input_tokens": 4020, "cached_input_tokens": 3840}';
const HOUR =
  '{"start_time": "2026-11-20T13:00:00Z", "rows": [{"project_id": "assistant", "model": "gpt-5.4", "requests": 120, "input_tokens": 482400, "cached_input_tokens": 301000}]}';
const TOKEN = "$CACHEWATCH_TOKEN";

/** How to push to a source, for each way it can be done. */
export function pushSamples({ kind, slug }: Pick<Source, "kind" | "slug">, origin: string): { label: string; code: string }[] {
  if (kind === "buckets") return [{ label: "curl", code: curl(`${origin}/api/v1/buckets?source=${slug}`, `{"hours": [${HOUR}]}`) }];
  if (kind !== "requests") return [];
  return [
    { label: "curl", code: curl(`${origin}/api/v1/requests?source=${slug}`, `{"requests": [${ROW}]}`) },
    { label: "OpenTelemetry variables", code: variables(origin, slug) },
    { label: "OpenTelemetry collector", code: collector(origin, slug) },
  ];
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
