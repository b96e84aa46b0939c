import { FormError } from "../../ui/form-error";

import { isConflict } from "./finding-change";

interface FindingProblemProps {
  error: Error | null;
  /** Fields whose refusals stand under them. */
  fields?: readonly string[];
  /** What saves again: "Tick it again". */
  action: string;
  /** Who saved meanwhile, and when, where that is known better than the refusal says it. */
  faster?: string | null;
  redo: () => void;
}

/** Why a change was refused; where somebody was faster, theirs is shown above and one's own can be saved anew. */
export function FindingProblem({ error, fields = [], action, faster, redo }: FindingProblemProps) {
  if (error === null || !isConflict(error)) return <FormError error={error} fields={fields} />;
  return (
    <div className="lint bad" role="alert">
      <p>{faster ?? error.message.replace(/\. .*$/, ".")} What they saved stands here now.</p>
      <button className="linkbtn" type="button" onClick={redo}>{action}</button>
    </div>
  );
}
