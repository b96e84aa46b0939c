import type { Repair, SeriesDetail } from "../../api/types";
import { CodeWords } from "../../ui/code-words";
import { CopyButton } from "../../ui/copy-button";
import { countWord } from "../../lib/format";

/** Whether the rail has anything to say about this series. */
export function hasRail(series: SeriesDetail): boolean {
  return series.repairs.length > 0 || series.handoff !== null;
}

/** What to do about the verdict: the steps of the repair, and the note for whoever owns it. */
export function SeriesRail({ series }: { series: SeriesDetail }) {
  const { repairs, handoff, verdict } = series;
  return (
    <aside className="rail" aria-label="What to do about it">
      {repairs.length > 0 && (
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
        </section>
      )}
      {handoff && (
        <section id="handoff" aria-labelledby="handoff-heading">
          <h2 id="handoff-heading">{`Handoff: ${handoff.verdict_owner}`}</h2>
          <p className="quote">{handoff.text}</p>
          <CopyButton label="Copy the note" text={handoff.text} done="The note is on the clipboard" />
        </section>
      )}
    </aside>
  );
}

/** The steps as a numbered list in plain text, which is Markdown too. */
function stepsText(repairs: readonly Repair[]): string {
  return repairs.map(({ step, why, how }, index) => `${index + 1}. ${step}\n   ${why}\n   ${how}`).join("\n");
}
