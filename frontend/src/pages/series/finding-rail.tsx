import "./finding.css";

import { useQuery } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { useLocation } from "react-router";

import { seriesWorkQuery } from "../../api/findings";
import type { SeriesDetail } from "../../api/types";
import { Region } from "../../ui/region";

import { ActivityPart } from "./activity-part";
import { Checklist } from "./checklist";
import { FindingSection } from "./finding-section";
import { HandoffNotes } from "./handoff-notes";
import { KeyPlanLink } from "./key-plan-link";
import { useOwnVersions } from "./own-versions";
import { TeamNotePart } from "./team-note";

interface FindingRailProps {
  series: SeriesDetail;
  /** The steps to read, where the list to tick cannot be had. */
  steps: ReactNode;
  /** What was marked as shipped. */
  markers: ReactNode;
}

/** The rail of a series: the finding and its repair list, markers, notes, and what was done. */
export function FindingRail({ series, steps, markers }: FindingRailProps) {
  const query = useQuery(seriesWorkQuery(series.id));
  const work = query.data;
  const own = useOwnVersions(work?.finding ?? null);
  useAnchor(work !== undefined);
  return (
    <>
      <Region query={query} what="the work on this series" rows={6}>
        {({ finding, checklist, people, can_write: canWrite }) => (
          <>
            {finding && <FindingSection key={finding.id} finding={finding} people={people} canWrite={canWrite} own={own} />}
            {work && checklist.length > 0 ? <Checklist seriesId={series.id} work={work} keyPlan={<KeyPlanLink series={series} />} onTicked={own.ticked} /> : steps}
          </>
        )}
      </Region>
      {query.isError && work === undefined && steps}
      {markers}
      <HandoffNotes series={series} notes={work?.notes ?? []} />
      {work && <TeamNotePart key={series.id} seriesId={series.id} work={work} />}
      {work && <ActivityPart seriesId={series.id} canWrite={work.can_write} />}
    </>
  );
}

/** A link to a part of the rail leads there once the part is shown. */
function useAnchor(shown: boolean): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (shown && hash !== "") document.getElementById(hash.slice(1))?.scrollIntoView({ block: "start" });
  }, [shown, hash]);
}
