import type { SourceRef } from "../api/types";
import { useMe } from "../lib/use-me";

import { DemoLabel } from "./demo-label";

/** The source a page is about; marked where it is the demo and the header, that of a real source, does not say so. */
export function SourceName({ source }: { source: SourceRef }) {
  const { demo } = useMe();
  return (
    <span>
      {source.name}
      {source.kind === "demo" && !demo && <>{" "}<DemoLabel /></>}
    </span>
  );
}
