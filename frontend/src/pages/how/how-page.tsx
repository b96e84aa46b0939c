import "./how.css";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "react-router";

import { rulesQuery } from "../../api/rules";
import type { Rules } from "../../api/types";
import { Region } from "../../ui/region";
import { Section } from "../../ui/section";
import { usePageTitle } from "../../lib/use-page-title";

import { ChapterText } from "./chapter-text";
import { Contents } from "./contents";
import { ThresholdList } from "./threshold-list";

/** What decides a verdict, how often that is right, what a finding costs, and every threshold. */
export function HowPage() {
  usePageTitle("How cachewatch decides");
  const query = useQuery(rulesQuery);
  return (
    <>
      <h1>How cachewatch decides</h1>
      <p className="lede">
        A verdict follows from hourly totals by fixed rules. This page has the same text as the documentation, and the thresholds that are in
        force{query.data && <> under the rules <code>{query.data.version}</code></>}. It says too how often the verdicts are right, and where
        they cannot tell.
      </p>
      <Region query={query} what="the rules">
        {(rules) => <Loaded rules={rules} />}
      </Region>
    </>
  );
}

function Loaded({ rules: { chapters, thresholds } }: { rules: Rules }) {
  useScrollToHash();
  return (
    <div className="howcols">
      <Contents chapters={chapters} />
      <div>
        {chapters.map(({ name, title, html }) => (
          <Section key={name} id={name} title={title}>
            <ChapterText html={html} />
          </Section>
        ))}
        <ThresholdList thresholds={thresholds} />
      </div>
    </div>
  );
}

/** The browser looks for the address's place before the text is there. One that is folded away is shown. */
function useScrollToHash(): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (!hash) return;
    const place = document.getElementById(decodeURIComponent(hash.slice(1)));
    const folded = place?.closest("details");
    if (folded) folded.open = true;
    place?.scrollIntoView();
  }, [hash]);
}
