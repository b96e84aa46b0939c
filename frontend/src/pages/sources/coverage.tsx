import { useQuery } from "@tanstack/react-query";

import { coverageQuery } from "../../api/sources";
import { Region } from "../../ui/region";
import { ScrollBox } from "../../ui/scroll-box";
import { Section } from "../../ui/section";

import { COVERAGE_STATES, coverageDays, coverageSentence, type CoverageDay } from "./coverage-days";
import { CoverageLegend } from "./coverage-legend";
import { CoverageGrid, CoverageStrip } from "./coverage-strip";

/** Which of the last 168 hours are in, hour by hour. */
export function CoveragePart({ slug }: { slug: string }) {
  const query = useQuery(coverageQuery(slug));
  const title = query.data ? coverageSentence(query.data.hours) : "Coverage of the last seven days";
  return (
    <Section title={title} how={query.data && "hour by hour"}>
      <Region query={query} what="the coverage" rows={2}>
        {({ hours }) => {
          const days = coverageDays(hours);
          return (
            <>
              <CoverageLegend />
              <CoverageStrip hours={hours} days={days} label={coverageSentence(hours)} />
              <CoverageGrid days={days} label={coverageSentence(hours)} />
              <details className="asTable">
                <summary>Table</summary>
                <CoverageTable days={days} />
              </details>
            </>
          );
        }}
      </Region>
    </Section>
  );
}

function CoverageTable({ days }: { days: readonly CoverageDay[] }) {
  return (
    <ScrollBox label="Coverage by day">
      <table className="narrow">
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            {COVERAGE_STATES.map((state) => (
              <th key={state} scope="col" className="num">
                {state}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ label, counts }) => (
            <tr key={label}>
              <td>{label}</td>
              {COVERAGE_STATES.map((state) => (
                <td key={state} className="num">
                  {counts[state]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
