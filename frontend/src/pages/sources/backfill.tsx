import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { backfillQuery, startBackfill } from "../../api/sources";
import type { Backfill, Source } from "../../api/types";
import { Mark } from "../../ui/mark";
import { Region } from "../../ui/region";
import { Section } from "../../ui/section";

import { weekNotes } from "./backfill-runs";
import { BackfillWeeks } from "./backfill-weeks";
import { HISTORY_CHOICES } from "./history-choices";
import { useSourceMutation } from "./use-source-mutation";

/** How much of the history is in, week by week, and a way to ask for more. */
export function BackfillPart({ source }: { source: Source }) {
  const query = useQuery(backfillQuery(source.slug));
  return (
    <Section title={query.data?.sentence ?? "Backfill"} how="one week a task">
      <Region query={query} what="the backfill" rows={2}>
        {(backfill) => <Weeks backfill={backfill} />}
      </Region>
      {source.can.ingest && !source.paused && <MoreHistory source={source} />}
    </Section>
  );
}

function Weeks({ backfill: { weeks, fetched, total } }: { backfill: Backfill }) {
  if (weeks.length === 0) return <p className="soft">No week of history was asked for yet.</p>;
  return (
    <>
      <div role="progressbar" aria-valuemin={0} aria-valuemax={total} aria-valuenow={fetched} aria-label="Backfill weeks">
        <BackfillWeeks weeks={weeks} />
      </div>
      {weekNotes(weeks).map((note) => (
        <p className="note" key={note}>
          {note}
        </p>
      ))}
    </>
  );
}

function MoreHistory({ source }: { source: Source }) {
  const [days, setDays] = useState(source.backfill_days);
  const start = useSourceMutation(
    () => startBackfill(source.slug, days),
    (backfill) => backfill.sentence,
  );
  return (
    <div className="acts-row">
      <label className="vh" htmlFor="backfill-days">
        How far back
      </label>
      <select id="backfill-days" value={days} onChange={(event) => setDays(Number(event.target.value))}>
        {!HISTORY_CHOICES.some((choice) => choice.days === source.backfill_days) && <option value={source.backfill_days}>{source.backfill_days} days</option>}
        {HISTORY_CHOICES.map((choice) => (
          <option key={choice.days} value={choice.days}>
            {choice.label}
          </option>
        ))}
      </select>
      <button className="btn" type="button" disabled={start.isPending} onClick={() => start.mutate()}>
        Read history
      </button>
      {start.error && <Mark kind="bad">{start.error.message}</Mark>}
    </div>
  );
}
