/** The two hatches that charts fill with: "hatch" where there was nothing, "hatch-unknown" where nothing is known. */
export function HatchDefs() {
  return (
    <svg width="0" height="0" style={{ position: "absolute" }} aria-hidden="true">
      <defs>
        <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V5" style={{ stroke: "var(--c-hatch)", strokeWidth: 1.6 }} />
        </pattern>
        <pattern id="hatch-unknown" width="7" height="7" patternUnits="userSpaceOnUse">
          <path d="M0 0L7 7M7 0L0 7" style={{ stroke: "var(--ink-3)", strokeWidth: 0.9 }} />
        </pattern>
      </defs>
    </svg>
  );
}
