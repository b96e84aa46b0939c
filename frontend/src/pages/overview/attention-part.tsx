import "./attention.css";

import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Link, useSearchParams } from "react-router";

import { attentionQuery } from "../../api/findings";
import type { Attention, AttentionTab } from "../../api/types";
import { Region } from "../../ui/region";

import { AttentionList } from "./attention-list";
import { ATTENTION_TABS, readFilters, toSearch, type Filters } from "./filters";

const TAB_WORDS: Readonly<Record<AttentionTab, string>> = { all: "All", sudden: "Sudden change", high: "High level", review: "To review" };

/** What a tab without rows says. */
const EMPTY_WORDS: Readonly<Record<AttentionTab, string>> = {
  all: "Nothing waits.",
  sudden: "No finding began or came back in the last seven days. Older ones stand under High level.",
  high: "No open finding is older than seven days. Newer ones stand under Sudden change.",
  review: "No readout waits for a decision, no verdict asks for a look, and no series is near a finding.",
};

/** What waits for somebody: at most seven rows, each with its one next step. The address holds the tab. */
export function AttentionPart({ severalSources }: { severalSources: boolean }) {
  const id = useId();
  const { filters } = readFilters(useSearchParams()[0]);
  const query = useQuery(attentionQuery(filters.attention));
  return (
    <section className="sec" id="attention" aria-labelledby={id}>
      <div className="sech">
        <h2 id={id}>{query.data?.counts.all === 0 ? "Nothing needs attention" : "Needs attention"}</h2>
        <Tabs filters={filters} counts={query.data?.counts} />
      </div>
      <Region query={query} what="what needs attention" rows={4}>
        {(answer) => (
          <>
            <AttentionList items={answer.items} severalSources={severalSources} busy={query.isPlaceholderData} />
            <Remark answer={answer} tab={filters.attention} />
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

/** Why there are no rows, or that there are more. */
function Remark({ answer: { items, counts }, tab }: { answer: Attention; tab: AttentionTab }) {
  if (counts.all === 0) return <p className="note">No finding is open, nothing waits for a review, and no series is near a finding.</p>;
  if (items.length === 0) return <p className="note">{EMPTY_WORDS[tab]}</p>;
  if (items.length === counts[tab]) return null;
  return <p className="note">{`The first ${items.length} of ${counts[tab]}: the most dollars a week first, then findings and readouts, the oldest first.`}</p>;
}
