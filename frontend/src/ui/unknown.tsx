import { UNKNOWN } from "../lib/format";

/** N/A, with the reason under it. */
export function Unknown({ reason }: { reason: string }) {
  return (
    <>
      <span className="muted">{UNKNOWN}</span>
      <span className="sub">{reason}</span>
    </>
  );
}
