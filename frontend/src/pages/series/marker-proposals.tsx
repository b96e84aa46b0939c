import { confirmMarker, dismissMarker } from "../../api/markers";
import type { Marker } from "../../api/types";
import { FormError } from "../../ui/form-error";
import { formatHour } from "../../lib/time";

import { useMarkerChange } from "./use-marker-change";

interface MarkerProposalsProps {
  proposals: readonly Marker[];
  may: boolean;
}

/** Changes that the data shows and nobody has marked: each is confirmed or dismissed. */
export function MarkerProposals({ proposals, may }: MarkerProposalsProps) {
  return proposals.map((marker) => <Proposal key={marker.id} marker={marker} may={may} />);
}

function Proposal({ marker, may }: { marker: Marker; may: boolean }) {
  const confirm = useMarkerChange(() => confirmMarker(marker.id), () => "Marked; it is drawn on every chart");
  const dismiss = useMarkerChange(() => dismissMarker(marker.id), () => "Dismissed; it is not proposed again");
  const busy = confirm.isPending || dismiss.isPending;
  return (
    <div className="proposal" role="group" aria-label={`Proposed: ${marker.word}`}>
      <p>
        <span className="b">Mark it?</span> {marker.note} <time dateTime={marker.at}>{formatHour(marker.at)} UTC</time>
      </p>
      <FormError error={confirm.error ?? dismiss.error} fields={[]} />
      {may && (
        <div className="row">
          <button className="btn" type="button" disabled={busy} onClick={() => confirm.mutate(undefined)}>Mark {marker.word}</button>
          <button className="linkbtn" type="button" disabled={busy} onClick={() => dismiss.mutate(undefined)}>Dismiss</button>
        </div>
      )}
    </div>
  );
}
