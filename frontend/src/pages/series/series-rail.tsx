import type { Repair, SeriesDetail } from "../../api/types";
import { CodeWords } from "../../ui/code-words";
import { CopyButton } from "../../ui/copy-button";
import { countWord } from "../../lib/format";

import { FindingRail } from "./finding-rail";
import { KeyPlanLink } from "./key-plan-link";
import { MarkerSection } from "./marker-section";

/** What to do about the verdict: the finding and its repair list, what was marked as shipped, and the notes for whoever owns it. */
export function SeriesRail({ series }: { series: SeriesDetail }) {
  return (
    <aside className="rail" aria-label="What to do about it">
      <FindingRail series={series} steps={<RepairSteps series={series} />} markers={<MarkerSection series={series} />} />
    </aside>
  );
}

/** The steps of the repair, to read, where the list to tick cannot be had. */
function RepairSteps({ series }: { series: SeriesDetail }) {
  const { repairs, verdict } = series;
  if (repairs.length === 0) return null;
  return (
    <section id="repair" aria-labelledby="repair-heading">
      <h2 id="repair-heading">{`${verdict?.is_finding ? "Repair" : "Next"}: ${countWord(repairs.length)} ${repairs.length === 1 ? "step" : "steps"}`}</h2>
      <ol className="repairs">
        {repairs.map((repair) => (
          <li key={repair.step}>
            <div>
              <span className="b"><CodeWords text={repair.step} /></span>
              <span className="sub"><CodeWords text={repair.why} /></span>
              <span className="sub how"><CodeWords text={repair.how} /></span>
            </div>
          </li>
        ))}
      </ol>
      <CopyButton label="Copy the steps" text={stepsText(repairs)} done="The steps are on the clipboard" />
      <KeyPlanLink series={series} />
    </section>
  );
}

/** The steps as a numbered list in plain text, which is Markdown too. */
function stepsText(repairs: readonly Repair[]): string {
  return repairs.map(({ step, why, how }, index) => `${index + 1}. ${step}\n   ${why}\n   ${how}`).join("\n");
}
