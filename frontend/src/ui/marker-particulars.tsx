import type { Marker } from "../api/types";
import { particularsText } from "../lib/markers";

/** The key of a marker as one would type it, and the rest of what it says of itself. */
export function MarkerParticulars({ marker }: { marker: Marker }) {
  const key = marker.rollout?.particulars.key ?? null;
  const rest = particularsText(marker);
  return (
    <>
      {key !== null && <code>{key}</code>}
      {key !== null && rest !== "" && ", "}
      {rest}
    </>
  );
}
