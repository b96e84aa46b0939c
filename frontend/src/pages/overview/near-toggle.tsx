import { formatCount } from "../../lib/format";

interface NearToggleProps {
  on: boolean;
  /** How many series there are near a finding, under the other filters. */
  count: number | undefined;
  onChange: (on: boolean) => void;
}

/** Keeps series that are no finding and miss one threshold by little; it goes together with any verdict. */
export function NearToggle({ on, count, onChange }: NearToggleProps) {
  return (
    <label className="near" title="No finding yet: one threshold is missed by little">
      <input type="checkbox" name="near" value="1" checked={on} onChange={(event) => onChange(event.target.checked)} />
      <span>Near a finding</span> {count !== undefined && <span className="n">{formatCount(count)}</span>}
    </label>
  );
}
