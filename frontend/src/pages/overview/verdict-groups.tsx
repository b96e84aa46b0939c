import { useEffect, useRef, type ReactNode } from "react";

import type { VerdictCode, VerdictGroup } from "../../api/types";
import { VerdictGlyph } from "../../ui/verdict-glyph";
import { formatCount } from "../../lib/format";
import { VERDICTS } from "../../lib/verdicts";

import { toggleGroup } from "./filters";

interface VerdictGroupsProps {
  chosen: readonly VerdictCode[];
  /** With counts under the other filters. */
  groups: readonly VerdictGroup[];
  onChange: (verdicts: VerdictCode[]) => void;
  /** Further toggles of the row. */
  children?: ReactNode;
}

/** One toggle for each group of verdicts; the address names the verdicts themselves, so some of a group can be chosen too. */
export function VerdictGroups({ chosen, groups, onChange, children }: VerdictGroupsProps) {
  return (
    <fieldset className="vfilter">
      <legend className="vh">Verdicts, by what there is to do</legend>
      {groups.map((group) => (
        <GroupToggle key={group.name} group={group} chosen={chosen} onChange={() => onChange(toggleGroup(chosen, group.codes))} />
      ))}
      {children}
      {chosen.map((code) => (
        <input key={code} type="hidden" name="verdict" value={code} />
      ))}
    </fieldset>
  );
}

interface GroupToggleProps {
  group: VerdictGroup;
  chosen: readonly VerdictCode[];
  onChange: () => void;
}

function GroupToggle({ group: { codes, label, count }, chosen, onChange }: GroupToggleProps) {
  const inside = codes.filter((code) => chosen.includes(code));
  const isPart = inside.length > 0 && inside.length < codes.length;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPart;
  }, [isPart]);
  return (
    <label className={isPart ? "part" : undefined} title={codes.map((code) => VERDICTS[code].word).join(", ")}>
      <input ref={box} type="checkbox" checked={inside.length === codes.length} onChange={onChange} />
      <span className="glyphs">
        {codes.map((code) => (
          <span key={code} className={`chip v-${VERDICTS[code].tone}`}>
            <VerdictGlyph code={code} />
          </span>
        ))}
      </span>
      <span>
        {label}
        {isPart && <> <span className="muted">(only {inside.map((code) => VERDICTS[code].word).join(", ")})</span></>}
      </span>{" "}
      <span className="n">{formatCount(count)}</span>
    </label>
  );
}
