import { useState } from "react";

import type { Finding, Step } from "../../api/types";

/** Versions of a finding that this page made itself: no form is behind because of them. */
export interface OwnVersions {
  /** The newest version that a form opened on `seen` may save on: over every version made here, never over one of others. */
  newest: (seen: number) => number;
  /** A change of this page was saved on `sent`, and is this finding now: another one's where nothing was left to change. */
  saved: (finding: Finding, sent: number) => void;
  /** A step was ticked here on `sent`, the version of its mark, which begins the work on a new finding. */
  ticked: (step: Step, sent: number) => void;
}

interface Begun {
  id: number;
  version: number;
  at: string;
}

export function useOwnVersions(finding: Finding | null): OwnVersions {
  const [saved, setSaved] = useState<readonly string[]>([]);
  const [begun, setBegun] = useState<Begun | null>(null);
  // The tick's answer holds no version; that the finding stands there since the very tick says whose it is.
  const isBegun = (version: number) => begun !== null && begun.id === finding?.id && begun.version === version && Date.parse(begun.at) === Date.parse(finding.state_since);
  const isOwn = (version: number) => isBegun(version) || (finding !== null && saved.includes(named(finding.id, version)));
  return {
    newest: (seen) => {
      let version = seen;
      while (isOwn(version + 1)) version += 1;
      return version;
    },
    saved: ({ id, version }, sent) => {
      if (version === sent + 1) setSaved((before) => [...before, named(id, version)]);
    },
    ticked: ({ state, mark }, sent) => {
      if (finding?.state === "new" && state === "done" && mark?.version === sent + 1) setBegun({ id: finding.id, version: finding.version + 1, at: mark.at });
    },
  };
}

function named(id: number, version: number): string {
  return `${id} ${version}`;
}
