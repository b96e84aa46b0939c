import type { ReadoutState, StateCount } from "../../api/types";
import { ReadoutMark } from "../../ui/readout-mark";
import { READOUT_STATES } from "../../lib/readouts";

interface StateFilterProps {
  chosen: readonly ReadoutState[];
  /** How many there are of each; undefined until known. */
  counts: readonly StateCount[] | undefined;
  onChange: (chosen: ReadoutState[]) => void;
}

/** One toggle for each state, which doubles as the legend. */
export function StateFilter({ chosen, counts, onChange }: StateFilterProps) {
  const toggle = (state: ReadoutState) => onChange(chosen.includes(state) ? chosen.filter((other) => other !== state) : [...chosen, state]);
  return (
    <form className="filters" aria-label="Filter readouts">
      <fieldset className="vfilter">
        <legend className="vh">States</legend>
        {READOUT_STATES.map((state) => (
          <label key={state}>
            <input type="checkbox" checked={chosen.includes(state)} onChange={() => toggle(state)} />
            <ReadoutMark state={state} />
            {counts && <span className="n">{counts.find((one) => one.state === state)?.count ?? 0}</span>}
          </label>
        ))}
      </fieldset>
    </form>
  );
}
