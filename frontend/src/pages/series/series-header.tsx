import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { verdictHistoryQuery } from "../../api/series-detail";
import type { SeriesDetail, VerdictSummary } from "../../api/types";
import { Notice } from "../../ui/notice";
import { SourceName } from "../../ui/source-name";
import { VerdictChip } from "../../ui/verdict-chip";
import { cellWords, flagWords, generationWords, sinceWords } from "../../lib/series-standing";
import { formatHour } from "../../lib/time";

import { DecisionLine } from "./decision-line";
import { FindingWords } from "./finding-words";

interface SeriesHeaderProps {
  series: SeriesDetail;
  /** Parts of the address that were passed over. */
  notices: readonly string[];
  /** The filters the reader came with, as an address of the Overview. */
  overview: string;
  onNeighbour: (id: number) => void;
}

/** Days without traffic from which the page says so above everything else. */
const IDLE_BANNER_DAYS = 3;

/** Whose side the cause is on says nothing of who has the finding. */
const ACTION_WORDS: Readonly<Record<string, string>> = { "yours to fix": "fix on your side" };

/** Where one is, what was found, and in which words. */
export function SeriesHeader({ series, notices, overview, onNeighbour }: SeriesHeaderProps) {
  const { verdict } = series;
  const cell = cellWords(series.cell);
  const generation = generationWords(series.generation);
  const firstJudged = useQuery(verdictHistoryQuery(series.id)).data?.items[0]?.start ?? null;
  return (
    <>
      <Crumb series={series} overview={overview} onNeighbour={onNeighbour} />
      <div className="ids">
        <span className="name">{`${series.project_name} / ${series.model_name}`}</span>
        {verdict ? <VerdictWords verdict={verdict} /> : <span className="chip v-none big">No verdict yet</span>}
        {verdict && <span>{sinceWords(verdict, firstJudged)}</span>}
        <FindingWords seriesId={series.id} />
        {cell !== null && <span>about: {cell}</span>}
        {verdict && verdict.action_class !== "none" && <span>action: {ACTION_WORDS[verdict.action_class] ?? verdict.action_class}</span>}
        {generation !== null && <span>{generation}</span>}
      </div>
      {notices.map((notice) => <Notice key={notice}>{notice}</Notice>)}
      <IdleBanner series={series} />
      <h1>{verdict ? verdict.sentence : "There is no verdict on this series yet"}</h1>
      {series.lede !== "" && <p className="lede">{series.lede}</p>}
      <DecisionLine decision={series.decision} verdict={verdict} />
    </>
  );
}

/** The verdict, and the flags that stand beside it. */
function VerdictWords({ verdict }: { verdict: VerdictSummary }) {
  return (
    <span>
      <VerdictChip code={verdict.code} word={verdict.word} big />
      {verdict.flags.map((flag) => <span key={flag} className="flag">{flagWords(flag, verdict)}</span>)}
    </span>
  );
}

function Crumb({ series, overview, onNeighbour }: Omit<SeriesHeaderProps, "notices">) {
  const { previous_id: previous, next_id: next } = series;
  return (
    <nav className="crumb" aria-label="Where this is">
      <Link to={overview}>Overview</Link>
      <span>/</span>
      <SourceName source={series.source} />
      <span>/</span>
      <span>{series.project_name}</span>
      <span>/</span>
      <span>{series.model_name}</span>
      <span className="end">
        {previous !== null && <button className="linkbtn" type="button" onClick={() => onNeighbour(previous)}>Previous series</button>}
        {next !== null && <button className="linkbtn" type="button" onClick={() => onNeighbour(next)}>Next series</button>}
      </span>
    </nav>
  );
}

function IdleBanner({ series }: { series: SeriesDetail }) {
  if (series.last_traffic === null) return <Notice>No traffic has been read for this series.</Notice>;
  if (series.idle_days < IDLE_BANNER_DAYS) return null;
  return <Notice>{`No traffic since ${formatHour(series.last_traffic)} UTC. What was read before stays here.`}</Notice>;
}
