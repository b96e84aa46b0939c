import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";

import { seriesMarkersQuery } from "../../api/markers";
import type { Marker, SeriesDetail } from "../../api/types";
import { Region } from "../../ui/region";
import { splitMarkers } from "../../lib/markers";
import { useShortcut } from "../../lib/use-shortcut";

import { MarkerForm } from "./marker-form";
import { MarkerList } from "./marker-list";
import { MarkerProposals } from "./marker-proposals";

/** What happened to the series, what the data proposes, and the form that marks a repair as shipped. */
export function MarkerSection({ series }: { series: SeriesDetail }) {
  const query = useQuery(seriesMarkersQuery(series.id));
  const may = series.can.annotate;
  const [edited, setEdited] = useState<Marker | null>(null);
  const form = useRef<HTMLElement>(null);
  const open = (marker: Marker | null) => {
    setEdited(marker);
    form.current?.querySelector("details.fold")?.setAttribute("open", "");
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("select, input")?.focus());
    form.current?.scrollIntoView({ block: "start" });
  };
  useShortcut("m", "mark key shipped", () => open(null), may);
  return (
    <>
      <section id="markers" aria-labelledby="markers-heading">
        <Region query={query} what="the markers" rows={2}>
          {({ items }) => (
            <>
              <h2 id="markers-heading">{heading(items)}</h2>
              <MarkerProposals proposals={splitMarkers(items).proposed} may={may} />
              <MarkerList markers={splitMarkers(items).inForce} series={series} may={may} onEdit={open} />
            </>
          )}
        </Region>
        {!may && <p className="sub">Changes can be marked by those who may annotate this source.</p>}
      </section>
      {may && (
        <section id="mark" aria-labelledby="mark-heading" ref={form}>
          <MarkerForm key={edited?.id ?? "new"} series={series} marker={edited} onDone={() => setEdited(null)} />
        </section>
      )}
    </>
  );
}

function heading(items: readonly Marker[]): string {
  const count = splitMarkers(items).inForce.length;
  if (count === 0) return "No change is marked yet";
  return count === 1 ? "One change is marked" : `${count} changes are marked`;
}
