import type { ReadoutCheck } from "../../api/types";
import { Mark } from "../../ui/mark";
import { Section } from "../../ui/section";
import { checkHeading, checkWord } from "../../lib/readouts";

/** Whether both windows carried the same traffic; what stands against a claim comes first. */
export function CheckTable({ checks }: { checks: readonly ReadoutCheck[] }) {
  const tested = checks.filter(({ ok }) => ok !== null);
  const passed = tested.filter(({ ok }) => ok).length;
  const sorted = [...checks].sort((a, b) => rank(a) - rank(b));
  return (
    <Section fold={checks.some(({ blocks }) => blocks) ? undefined : "the checks"} title={checkHeading(checks)} how={`${passed} of ${tested.length} checks passed${tested.length < checks.length ? `, ${checks.length - tested.length} not testable` : ""}`}>
      <table className="checks stacked" role="table">
        <caption className="vh">Checks for comparable traffic</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">Check</th>
            <th role="columnheader" scope="col">What was found</th>
            <th role="columnheader" scope="col">Reading</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {sorted.map((check) => (
            <tr key={check.name} role="row">
              <th role="rowheader" scope="row">{checkWord(check.name)}</th>
              <td role="cell" className="soft found">{check.statement}</td>
              <td role="cell" className="nw"><Reading check={check} /></td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="note">A check that fails so far that it could explain the change takes the claim away: the state then is Traffic changed, Contaminated or Suspicious.</p>
    </Section>
  );
}

function rank({ ok, blocks }: ReadoutCheck): number {
  return blocks ? 0 : [false, true, null].indexOf(ok) + 1;
}

function Reading({ check: { ok, blocks } }: { check: ReadoutCheck }) {
  if (blocks) return <Mark kind="bad">against a claim</Mark>;
  if (ok === null) return <span className="muted">not testable</span>;
  return ok ? <Mark kind="okk">ok</Mark> : <Mark kind="warn">differs</Mark>;
}
