import "./attention.css";

import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Link, useSearchParams } from "react-router";

import { attentionQuery } from "../../api/findings";
import type { Attention, AttentionTab, Overview } from "../../api/types";
import { Region } from "../../ui/region";
import { formatCount, plural } from "../../lib/format";

import { AttentionList } from "./attention-list";
import { ATTENTION_TABS, readFilters, toSearch, type Filters } from "./filters";
import { judgedCounts } from "./judged";

const TAB_WORDS: Readonly<Record<AttentionTab, string>> = { all: "All", sudden: "Sudden change", high: "High level", review: "To review" };

/** What a tab without rows says. */
const EMPTY_WORDS: Readonly<Record<AttentionTab, string>> = {
  all: "Nothing waits.",
  sudden: "No finding began or came back in the last seven days. Older ones stand under High level.",
  high: "No open finding is older than seven days. Newer ones stand under Sudden change.",
  review: "No readout waits for a decision, no verdict asks for a look, and no series is near a finding.",
};

/** What waits for somebody: at most seven rows, each with its one next step. The address holds the tab. */
export function AttentionPart({ overview }: { overview: Overview }) {
  const id = useId();
  const { filters } = readFilters(useSearchParams()[0]);
  const query = useQuery(attentionQuery(filters.attention));
  return (
    <section className="sec" id="attention" aria-labelledby={id}>
      <div className="sech">
        <h2 id={id}>{query.data?.counts.all === 0 ? quietHeading(overview) : "Needs attention"}</h2>
        <Tabs filters={filters} counts={query.data?.counts} />
      </div>
      <Region query={query} what="what needs attention" rows={4}>
        {(answer) => (
          <>
            <AttentionList items={answer.items} severalSources={overview.sources.length > 1} busy={query.isPlaceholderData} />
            <Remark answer={answer} tab={filters.attention} overview={overview} />
          </>
        )}
      </Region>
    </section>
  );
}

function Tabs({ filters, counts }: { filters: Filters; counts: Attention["counts"] | undefined }) {
  return (
    <nav className="tabs" aria-label="Kind of attention">
      {ATTENTION_TABS.map((tab) => (
        <Link key={tab} to={{ search: toSearch({ ...filters, attention: tab }) }} preventScrollReset aria-current={tab === filters.attention ? "true" : undefined}>
          {counts ? `${TAB_WORDS[tab]} ${counts[tab]}` : TAB_WORDS[tab]}
        </Link>
      ))}
    </nav>
  );
}

function quietHeading(overview: Overview): string {
  return judgedCounts(overview).judged === 0 ? "Nothing is judged yet, so nothing can need attention" : "Nothing needs attention";
}

/** Why there are no rows, or that there are more. */
function Remark({ answer: { items, counts }, tab, overview }: { answer: Attention; tab: AttentionTab; overview: Overview }) {
  if (counts.all === 0) return <p className="note">{quietWords(overview)}</p>;
  if (items.length === 0) return <p className="note">{EMPTY_WORDS[tab]}</p>;
  const days = items.some(({ kind_word }) => kind_word.startsWith("New")) ? NEW_WORDS : "";
  const words = [restWords(items.length, counts[tab]), TAB_NOTES[tab], days].filter((part) => part !== "");
  return words.length === 0 ? null : <p className="note">{words.join(" ")}</p>;
}

/** What stands under a tab. Of a review: the strip above counts readouts. */
const TAB_NOTES: Readonly<Record<AttentionTab, string>> = {
  all: "",
  sudden: "Sudden change: the verdict began, or came back, in the last seven days.",
  high: "High level: open findings that are no sudden change, so older than seven days. It is the level of misses that is high; the cached share is low.",
  review: "One row for each series, for a readout to decide on, a verdict that asks for a look, or a finding that is near; a series with several readouts stands here once.",
};

/** The strip above counts verdicts that began. */
const NEW_WORDS = "The days beside New count from when the finding was opened here; its verdict may have begun long before.";

function restWords(shown: number, all: number): string {
  if (shown === all) return "";
  return `The first ${shown} of ${all}: the most dollars a week first, then findings and readouts, the oldest first.`;
}

function quietWords(overview: Overview): string {
  const { judged, unjudged } = judgedCounts(overview);
  if (judged === 0) return "A series is judged once enough hours of it are read and settled.";
  const clear = "No finding is open, nothing waits for a review, and no series is near a finding.";
  return unjudged === 0 ? clear : `${clear} ${formatCount(unjudged)} of ${plural(overview.series, "series", "series")} cannot be judged.`;
}
