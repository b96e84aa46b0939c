import type { ReactNode } from "react";

import { setStep } from "../../api/findings";
import type { SeriesWork, Step, StepChange } from "../../api/types";
import { CodeWords } from "../../ui/code-words";
import { CopyButton } from "../../ui/copy-button";
import { useShortcut } from "../../lib/use-shortcut";

import { ChecklistStep, MarkWords } from "./checklist-step";
import { useWorkChange } from "./finding-change";
import { FindingProblem } from "./finding-problem";

/** A step that is ticked, skipped or opened again. */
export interface StepAction {
  /** As it was seen: its version decides whether somebody was faster. */
  step: Step;
  state: StepChange["state"];
  reason: string;
}

interface ChecklistProps {
  seriesId: number;
  work: SeriesWork;
  /** The way to the key plan: in the step that sets a key, or under the steps where there is none. */
  keyPlan: ReactNode;
  onTicked?: (step: Step, sent: number) => void;
}

/** Sets the prompt_cache_key. */
const KEY_STEP = "stable-key";
const DONE_WORDS = { done: "Ticked", skipped: "Skipped", open: "Opened again" } as const;

/** The steps of the repair, or of a review: ticked or skipped by whom and when. `x` ticks the current one. */
export function Checklist({ seriesId, work, keyPlan, onTicked }: ChecklistProps) {
  const present = work.checklist.filter(({ number }) => number !== null);
  const kept = work.checklist.filter(({ number }) => number === null);
  const current = present.find(({ state }) => state === "open");
  const change = useWorkChange(
    ({ step, state, reason }: StepAction) => setStep(seriesId, step.key, { state, reason, version: step.mark?.version ?? 0 }),
    ({ step, state }) => `${DONE_WORDS[state]}: ${step.step}`,
    (ticked, { step }) => onTicked?.(ticked, step.mark?.version ?? 0),
  );
  const act = (action: StepAction) => change.mutate(action);
  useShortcut("x", "tick the current step", () => current && act({ step: current, state: "done", reason: "" }), work.can_write && current !== undefined);
  const tried = change.variables;
  return (
    <section id="repair" aria-labelledby="repair-heading">
      <h2 id="repair-heading">{heading(present, work.finding === null ? "Next" : "Repair")}</h2>
      <ul className="check">
        {present.map((step) => (
          <ChecklistStep
            key={step.key}
            step={step}
            more={step.key === KEY_STEP ? keyPlan : null}
            isCurrent={step === current}
            canWrite={work.can_write}
            pending={change.isPending && tried?.step.key === step.key ? tried.state : null}
            onAct={act}
            problem={
              tried?.step.key === step.key && (
                <FindingProblem error={change.error} fields={["reason"]} action={`${REDO_WORDS[tried.state]} all the same`} redo={() => act({ ...tried, step })} />
              )
            }
          />
        ))}
      </ul>
      {kept.length > 0 && <KeptSteps steps={kept} />}
      <CopyButton label="Copy the steps" text={stepsText(present)} done="The steps are on the clipboard" />
      {!present.some(({ key }) => key === KEY_STEP) && keyPlan}
    </section>
  );
}

const REDO_WORDS = { done: "Tick it", skipped: "Skip it", open: "Open it" } as const;

/** "Repair: 3 of 8 steps done, 1 skipped"; without a finding there is nothing to repair yet. */
function heading(steps: readonly Step[], what: "Next" | "Repair"): string {
  const skipped = steps.filter(({ state }) => state === "skipped").length;
  const done = steps.filter(({ state }) => state === "done").length;
  const words = `${what}: ${done} of ${steps.length} ${steps.length === 1 ? "step" : "steps"} done`;
  return skipped === 0 ? words : `${words}, ${skipped} skipped`;
}

/** Steps of a former verdict that somebody worked on: kept, and said to be so. */
function KeptSteps({ steps }: { steps: readonly Step[] }) {
  return (
    <>
      <h3>Kept from a former verdict</h3>
      <ul className="check kept">
        {steps.map((step) => (
          <li key={step.key}>
            <span className="marked" aria-hidden="true">{step.state === "done" ? "\u2713" : "\u2013"}</span>
            <div>
              <span className="done"><CodeWords text={step.step} /></span>
              <span className="sub">{`For ${(step.kept_from ?? "a former verdict").toLowerCase()}; not part of the present list.`}</span>
              <MarkWords step={step} />
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The steps as a task list in Markdown. */
function stepsText(steps: readonly Step[]): string {
  return steps.map(({ state, step, why, how }) => `- [${state === "done" ? "x" : " "}] ${step}${state === "skipped" ? " (skipped)" : ""}\n  ${why}\n  ${how}`).join("\n");
}
