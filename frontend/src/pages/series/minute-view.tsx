import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "react-router";

import { readMinutes, seriesMinutesKey, seriesMinutesQuery } from "../../api/series-detail";
import type { SeriesDetail, SeriesMinutes } from "../../api/types";
import { Failure } from "../../ui/failure";
import { FigureStrip } from "../../ui/figure-strip";
import { Mark } from "../../ui/mark";
import { Section } from "../../ui/section";
import { announce } from "../../lib/announce";
import { dayWords, hourHalves, testFigures } from "../../lib/series-minutes";

import { MinuteDots } from "./minute-dots";
import { MinutePlot } from "./minute-plot";
import { ChartLoading } from "./series-loading";

const HOW = "one busy day by the minute";

/** The second stage: does the share fall within the hour, too? What was read, and a way to have a day read. */
export function MinuteView({ series }: { series: SeriesDetail }) {
  return series.source.kind === "requests" || series.source.kind === "buckets" ? <NoMinutes series={series} /> : <ReadMinutes series={series} />;
}

/** Nothing is read for a source that others push to. */
function NoMinutes({ series }: { series: SeriesDetail }) {
  return (
    <Section id="minutes" title="No minutes are read of pushed numbers" how={HOW}>
      <p className="soft minutewords">
        Hourly numbers cannot tell a fall within the hour from one between hours, and what is pushed is kept by the hour.
        {series.source.kind === "requests" && (
          <>
            {" "}
            The single requests say more: <Link to={`/evidence?series=${series.id}`}>read the stored requests</Link> of this series.
          </>
        )}
      </p>
    </Section>
  );
}

function ReadMinutes({ series }: { series: SeriesDetail }) {
  const query = useQuery(seriesMinutesQuery(series.id));
  const answer = query.data;
  if (answer === undefined) {
    return (
      <Section title="One busy day by the minute">
        {query.isError ? (
          <Failure what="The minutes could not be read" error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <ChartLoading what="the minutes" height={120} />
        )}
      </Section>
    );
  }
  const ask = <AskForDay series={series} answer={answer} />;
  if (answer.minutes.length > 0) {
    return (
      <>
        <ReadDay series={series} answer={answer} />
        {ask}
      </>
    );
  }
  return (
    <Section id="minutes" title={emptyTitle(answer)} how={HOW}>
      <p className="soft minutewords">
        Hourly numbers cannot tell a fall within the hour from one between hours. The minutes of one busy day can: requests beyond
        what one machine takes leave it in that minute.
      </p>
      {ask}
    </Section>
  );
}

/** The picture of a day and the figures of its test. */
function ReadDay({ series, answer }: { series: SeriesDetail; answer: SeriesMinutes }) {
  const halves = useMemo(() => hourHalves(answer.minutes), [answer]);
  return (
    <>
      {halves.length > 0 ? <MinutePlot series={series} answer={answer} halves={halves} /> : <MinuteDots series={series} answer={answer} />}
      {answer.test && <div className="figures4"><FigureStrip figures={testFigures(answer.test)} /></div>}
    </>
  );
}

function emptyTitle({ state }: SeriesMinutes): string {
  if (state === "queued") return "A busy day is being read by the minute";
  if (state === "refused") return "The provider gave no minutes of that day";
  if (state === "failed") return "The minutes could not be read";
  return state === "fetched" ? "The day that was read has no minute with traffic" : "No day of this series has been read by the minute";
}

/** How the newest request stands, and the button for the next one for those who may. */
function AskForDay({ series, answer }: { series: SeriesDetail; answer: SeriesMinutes }) {
  const client = useQueryClient();
  const { can } = series;
  const read = useMutation({
    mutationFn: () => readMinutes(series.id),
    onSuccess: (queued) => {
      client.setQueryData(seriesMinutesKey(series.id), queued);
      announce("A busy day is queued to be read by the minute");
    },
  });
  const waits = answer.state === "queued" || read.isPending;
  return (
    <>
      <div aria-live="polite">
        <RequestState answer={answer} />
        {read.error && <p className="problem"><Mark kind="bad">{read.error.message}</Mark></p>}
      </div>
      {can.annotate && !waits && (
        <button className="btn" type="button" onClick={() => read.mutate()}>
          {answer.state === "none" ? "Read a busy day by the minute" : "Read a busy day again"}
        </button>
      )}
      {!can.annotate && answer.state !== "queued" && <p className="note">A busy day can be read by those who may annotate this source.</p>}
    </>
  );
}

/** Nothing where nothing was asked for, or all went well. */
function RequestState({ answer }: { answer: SeriesMinutes }) {
  const { state, reason } = answer;
  if (state === "queued") {
    return <p className="problem"><Mark kind="wait">{`${dayWords(answer)} is queued; reading it takes a minute or two.`}</Mark></p>;
  }
  if (state === "none" || state === "fetched") return null;
  const what = state === "refused" ? "Refused" : "Failed";
  return <p className="problem"><Mark kind="bad">{`${what}, ${dayWords(answer)}: ${reason === "" ? "no reason was given" : reason}`}</Mark></p>;
}
