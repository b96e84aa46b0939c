import { Link } from "react-router";

import type { Run } from "../../api/types";
import { Mark } from "../../ui/mark";
import { ScrollBox } from "../../ui/scroll-box";
import { formatSeconds } from "../../lib/format";
import { formatMoment } from "../../lib/time";
import { useRowCursor } from "../../lib/use-row-cursor";

import { countLabels, isOfPushes, runCounts, runResult, runWindow, startedLabel } from "./run-words";

/** Walks over the usage API, or the pushes of each hour of the clock, newest first. */
export function RunTable({ runs, onlyProblems }: { runs: readonly Run[]; onlyProblems: boolean }) {
  const { bodyRef, rowProps } = useRowCursor(runs.map(runPath));
  const ofPushes = runs.length > 0 && runs.every(isOfPushes);
  const counts = countLabels(ofPushes);
  return (
    <>
      <ScrollBox label="Table of runs">
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">{startedLabel(ofPushes)} (UTC)</th>
              <th scope="col">Kind</th>
              <th scope="col">Window</th>
              {counts.map((label) => (
                <th key={label} scope="col" className="num">
                  {label}
                </th>
              ))}
              <th scope="col" className="num">
                Took
              </th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody ref={bodyRef}>
            {runs.map((run, index) => (
              <RunRow key={run.id} run={run} ofPushes={ofPushes} {...rowProps(index)} />
            ))}
            {runs.length === 0 && (
              <tr>
                <td colSpan={counts.length + 5} className="empty">
                  {onlyProblems ? "No run had a problem." : "No run yet."}
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </ScrollBox>
      {ofPushes && <p className="note">A line stands for all pushes of one hour of the clock. A row is the sum of an hour for one project and model, not a request.</p>}
    </>
  );
}

function runPath({ id }: Run): string {
  return `/sources/runs/${id}`;
}

function RunRow({ run, ofPushes, "aria-current": current }: { run: Run; ofPushes: boolean; "aria-current"?: "true" }) {
  const { kind, words } = runResult(run);
  return (
    <tr aria-current={current}>
      <td className="nw">
        <Link to={runPath(run)}>{formatMoment(run.started_at)}</Link>
      </td>
      <td>{run.kind}</td>
      <td className="nw">{runWindow(run)}</td>
      {runCounts(run, ofPushes).map(({ label, text }) => (
        <td key={label} className="num">
          {text}
        </td>
      ))}
      <td className="num">{formatSeconds(run.seconds)}</td>
      <td className="result">
        <Mark kind={kind}>{words}</Mark>
        {run.error && <span className="sub">{run.error}</span>}
      </td>
    </tr>
  );
}
