import type { SeriesDetail } from "../../api/types";
import { Fact } from "../../ui/fact";
import { Section } from "../../ui/section";
import { plural } from "../../lib/format";
import { formatHour } from "../../lib/time";

/** When and on what the verdict was decided. */
export function VerdictFacts({ series }: { series: SeriesDetail }) {
  const { verdict, decided_at, window, api_keys: keys } = series;
  return (
    <Section title={verdict ? `The verdict has held for ${plural(verdict.days, "day")}` : "No verdict has been decided yet"} fold="when and on what">
      <dl className="kv facts">
        {decided_at !== null && <Fact name="Evaluated">{`${formatHour(decided_at)} UTC`}</Fact>}
        {window !== null && <Fact name="Hours">{`${formatHour(window.start)} to ${formatHour(window.end)} UTC`}</Fact>}
        {verdict && <Fact name="Published rule">{publishedWords(verdict)}</Fact>}
        {series.rules_version !== "" && <Fact name="Rules">{series.rules_version}</Fact>}
        <Fact name="Evidence">{hasMinutes(series) ? "Hourly usage, and one busy day by the minute" : "Hourly usage only"}</Fact>
        {keys.length > 0 && <Fact name={keys.length === 1 ? "API key" : "API keys"}>{keys.map((key) => key.name).join(", ")}</Fact>}
      </dl>
    </Section>
  );
}

function hasMinutes({ controls }: SeriesDetail): boolean {
  return controls.some(({ name, numbers }) => name === "minutes" && (numbers.minutes ?? 0) > 0);
}

function publishedWords(verdict: { code: string; published_state: string; published_word: string }): string {
  return verdict.code === verdict.published_state ? "says the same" : `would say: ${verdict.published_word.toLowerCase()}`;
}
