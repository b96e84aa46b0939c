import { COVERAGE_STATES, type CoverageState } from "./coverage-days";

const WORDS: Readonly<Record<CoverageState, string>> = {
  complete: "complete",
  revised: "revised after it closed",
  partly: "partly read",
  settling: "settling",
  open: "open",
  missing: "missing",
};

export function CoverageLegend() {
  return (
    <div className="legend">
      {COVERAGE_STATES.map((state) => (
        <span key={state}>
          <svg width="9" height={state === "revised" ? 20 : 14} aria-hidden="true">
            {state === "revised" && <path className="cv-tick" d="M1 0h7l-3.5 4.5z" />}
            <rect className={`cv-${state}`} x="0.5" y={state === "revised" ? 6.5 : 0.5} width="7" height="13" />
          </svg>
          {WORDS[state]}
        </span>
      ))}
    </div>
  );
}
