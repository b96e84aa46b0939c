import type { Particulars } from "../api/types";
import { particularsText } from "../lib/markers";

/** The key of a repair as one would type it, and the rest of what it says of itself. */
export function MarkerParticulars({ particulars }: { particulars: Particulars }) {
  const { key } = particulars;
  const rest = particularsText(particulars);
  return (
    <>
      {key !== null && <code>{key}</code>}
      {key !== null && rest !== "" && ", "}
      {rest}
    </>
  );
}
