import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { seriesWorkQuery } from "../../api/findings";
import { deleteMarker } from "../../api/markers";
import type { Finding, Marker, SeriesDetail } from "../../api/types";
import { AskButton } from "../../ui/ask-button";
import { FormError } from "../../ui/form-error";
import { MarkerParticulars } from "../../ui/marker-particulars";
import { ReadoutMark } from "../../ui/readout-mark";
import { MARKER_KINDS, readoutOf } from "../../lib/markers";
import { formatDay, formatHour } from "../../lib/time";

import { useMarkerChange } from "./use-marker-change";

interface MarkerListProps {
  markers: readonly Marker[];
  series: SeriesDetail;
  /** Whether the reader may change them. */
  may: boolean;
  onEdit: (marker: Marker) => void;
}

/** The markers of a series, the latest first, each with what its readout says. */
export function MarkerList({ markers, series, may, onEdit }: MarkerListProps) {
  if (markers.length === 0) return null;
  return (
    <ul className="acty markerlist">
      {markers.map((marker) => <Item key={marker.id} marker={marker} series={series} may={may} onEdit={onEdit} />)}
    </ul>
  );
}

function Item({ marker, series, may, onEdit }: Omit<MarkerListProps, "markers"> & { marker: Marker }) {
  const readout = readoutOf(marker, series.id);
  const finding = useQuery(seriesWorkQuery(series.id)).data?.finding ?? null;
  return (
    <li>
      <span className="b">{marker.word}</span> <time dateTime={marker.at}>{spanWords(marker)}</time>
      {marker.rollout && <span className="sub"><MarkerParticulars particulars={marker.rollout.particulars} /></span>}
      {marker.note !== "" && <span className="sub">{marker.note}</span>}
      <span className="sub">{standing(marker)}{marker.link !== "" && <>, <a href={marker.link} rel="noreferrer">link</a></>}</span>
      {readout && <Link className="readoutlink" to={`/readouts/${readout.id}`}><ReadoutMark state={readout.state} word={readout.state_word} /></Link>}
      {finding && isBefore(marker, finding) && <span className="sub">{`It began before the finding was opened here on ${formatDay(finding.opened_at)}, so it leaves state and steps as they are: set and tick them yourself. Its readout is measured all the same.`}</span>}
      {may && <Acts marker={marker} onEdit={onEdit} />}
    </li>
  );
}

const WAITING: readonly Finding["state"][] = ["new", "acknowledged", "in-progress"];

/** A repair from before the finding was opened does not move it, however late it is marked. */
function isBefore({ kind, at }: Marker, { opened_at, state }: Finding): boolean {
  return MARKER_KINDS[kind].isRepair && WAITING.includes(state) && Date.parse(at) < Date.parse(opened_at);
}

function spanWords({ at, until }: Marker): string {
  return until === null ? `${formatHour(at)} UTC` : `${formatHour(at)} to ${formatHour(until)} UTC`;
}

/** Who marked it, and where it counts if that is wider than this series. */
function standing({ created_by, scope, project_name, project_id, source }: Marker): string {
  const by = created_by === null ? "proposed from the data" : `by ${created_by}`;
  if (scope === "project") return `${by}, all of ${project_name ?? project_id ?? "the null project"}`;
  return scope === "source" ? `${by}, all of ${source.name}` : by;
}

function Acts({ marker, onEdit }: { marker: Marker; onEdit: (marker: Marker) => void }) {
  const remove = useMarkerChange(() => deleteMarker(marker.id), () => "The marker is deleted");
  return (
    <>
      <span className="acts">
        <button className="linkbtn" type="button" aria-label={`Change ${marker.word} of ${formatHour(marker.at)}`} onClick={() => onEdit(marker)}>Change</button>
        <AskButton className="linkbtn" action="Delete marker" question={`Delete ${marker.word} of ${formatHour(marker.at)} UTC?`} onConfirm={() => remove.mutate(undefined)}>
          {marker.rollout ? "Its readouts go with it, decisions among them." : "It is no longer drawn, and no longer counts in readouts."}
        </AskButton>
      </span>
      <FormError error={remove.error} fields={[]} />
    </>
  );
}
