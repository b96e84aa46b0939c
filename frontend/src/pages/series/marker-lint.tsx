import { useQuery } from "@tanstack/react-query";

import { keyLintQuery } from "../../api/markers";
import type { KeyLint, KeyPlan } from "../../api/types";
import { formatFixed } from "../../lib/format";
import { useSettled } from "../../lib/use-settled";

interface KeyLintWordsProps {
  /** The key as it is written so far; null while nothing of it is said. */
  plan: KeyPlan | null;
  /** Characters of the key. */
  keyLength: number;
}

const LONGEST_KEY = 64;
const PAUSE_MS = 400;

/** What speaks against the key, checked while it is typed. */
export function KeyLintWords({ plan, keyLength }: KeyLintWordsProps) {
  const settled = useSettled(plan, PAUSE_MS);
  const query = useQuery({ ...keyLintQuery(settled ?? NO_PLAN), enabled: settled !== null });
  if (plan === null) return null;
  return (
    <div className="lints" aria-live="polite">
      {keyLength > 0 && <p className="sub">{`${keyLength} of ${LONGEST_KEY} characters`}</p>}
      {query.data && <Notes lint={query.data} />}
      {query.isError && <p className="lint bad">The key could not be checked: {query.error.message}</p>}
    </div>
  );
}

const NO_PLAN: KeyPlan = { series_id: 0, shards: 1 };

function Notes({ lint }: { lint: KeyLint }) {
  if (lint.notes.length === 0) return <p className="lint">{rateWords(lint)}</p>;
  return lint.notes.map(({ code, severity, sentence }) => (
    <p key={code} className={`lint ${SEVERITY[severity].style}`}>
      {SEVERITY[severity].word !== "" && <span className="b">{SEVERITY[severity].word}</span>} {sentence}
    </p>
  ));
}

const SEVERITY = {
  refused: { word: "Refused.", style: "bad" },
  warning: { word: "Warning.", style: "doubt" },
  note: { word: "", style: "plain" },
} as const;

function rateWords({ requests_per_minute_per_key: rate, by_minute }: KeyLint): string {
  if (rate === null) return "Nothing speaks against it.";
  const peak = by_minute ? "in the busiest minutes" : "in the mean minute of the busiest hour";
  return `Nothing speaks against it: about ${formatFixed(rate, rate < 9.95 ? 1 : 0)} requests a minute per key ${peak}.`;
}
