import { Link } from "react-router";

import type { RowWork } from "../../api/types";
import { ReadoutMark } from "../../ui/readout-mark";
import { useMe } from "../../lib/use-me";

/** How far the repair of a series is, and who owns its finding. */
export function WorkCells({ work, path }: { work: RowWork; path: string }) {
  const { rollout, rollout_note: note, readout_id: readout, readout_state: state } = work;
  return (
    <>
      <td role="cell" className="roll">
        {state !== null && readout !== null ? (
          <Link className="quiet" to={`/readouts/${readout}`}>
            <ReadoutMark state={state} word={rollout} />
          </Link>
        ) : (
          <span className={work.finding_id === null ? "muted" : undefined}>{rollout}</span>
        )}
        {note && <span className="sub">{note}</span>}
      </td>
      <td role="cell" className="own">
        <Owner work={work} path={path} />
      </td>
    </>
  );
}

/** A name; where a finding is open and nobody has it, for those who may, the way to the field that sets it. */
function Owner({ work: { owner, finding_id: finding, finding_state: state }, path }: { work: RowWork; path: string }) {
  const { can } = useMe();
  if (owner) return owner.name;
  if (finding === null || state === "resolved") return null;
  return (
    <>
      <span className="muted">No owner</span>
      {can.annotate && <span className="sub"><Link to={`${path}#finding`}>Assign</Link></span>}
    </>
  );
}
