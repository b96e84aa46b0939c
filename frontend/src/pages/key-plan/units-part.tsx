import { Link } from "react-router";

import type { SeriesKeyPlan } from "../../api/types";
import { ScrollBox } from "../../ui/scroll-box";
import { Section } from "../../ui/section";
import { Unknown } from "../../ui/unknown";
import { formatCount, formatShare } from "../../lib/format";
import { rateWords, UNIT_WORDS } from "../../lib/key-plan";

/** What one key could stand for, and whether that comes often enough. */
export function UnitsPart({ plan }: { plan: SeriesKeyPlan }) {
  const { units, basis, series_id: id } = plan;
  return (
    <Section title={heading(plan)} how="units, the finest first">
      {units.length > 0 && (
        <ScrollBox label="Units">
          <table className="units">
            <caption className="vh">What one key could stand for</caption>
            <thead>
              <tr><th scope="col">Unit</th><th scope="col" className="num">How many</th><th scope="col" className="num">Repeat within a lifetime</th><th scope="col" className="num">Busy minute of one</th></tr>
            </thead>
            <tbody>
              {units.map((unit) => (
                <tr key={unit.granularity}>
                  <th scope="row">{UNIT_WORDS[unit.granularity]}</th>
                  <td className="num">{formatCount(unit.distinct)}</td>
                  <td className="num">{formatShare(unit.repeating_share)}</td>
                  <td className="num">{unit.requests_per_minute === null ? <Unknown reason="hours do not tell" /> : rateWords(unit.requests_per_minute)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
      {basis !== "requests" && (
        <p className="note">
          Hours do not name conversations or documents. A log of requests does: <code>.venv/bin/cachewatch key-plan requests.jsonl</code>{" "}
          makes the same plan from it, and <Link to={`/evidence?series=${id}#import`}>evidence</Link> says which keys are sent today.
        </p>
      )}
    </Section>
  );
}

function heading({ units, repeating_unit: unit }: SeriesKeyPlan): string {
  if (units.length === 0) return "What repeats is not known";
  return unit === null ? "Nothing comes often enough to be found again" : `${UNIT_WORDS[unit]}: comes often enough to be found again`;
}
