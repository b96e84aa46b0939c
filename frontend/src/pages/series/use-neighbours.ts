import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "react-router";

import { ApiError } from "../../api/errors";
import { readSeries, seriesQuery } from "../../api/series-detail";
import type { SeriesDetail } from "../../api/types";
import { announce } from "../../lib/announce";
import { useShortcut } from "../../lib/use-shortcut";

/** The filters a link from the Overview brings along, so that one walks through the rows one saw. */
function readFilters(state: unknown): string {
  if (typeof state !== "object" || state === null || !("filters" in state)) return "";
  return typeof state.filters === "string" ? state.filters : "";
}

/** The series before and after this one in the order the reader came from, and how to get there. */
export function useNeighbours(series: SeriesDetail) {
  const navigate = useNavigate();
  const location = useLocation();
  const state: unknown = location.state;
  const filters = readFilters(state);
  const filtered = useQuery({ ...seriesQuery(series.id, filters), enabled: filters !== "" });
  // Not known yet is no neighbour: the ones of the order without filters would lead astray.
  const around = filters === "" ? series : filtered.data;
  const [previous, next] = [around?.previous_id ?? null, around?.next_id ?? null];
  const open = async (id: number) => {
    try {
      const { path } = await readSeries(id, filters);
      await navigate(path, { state });
    } catch (error) {
      announce(error instanceof ApiError ? error.message : "The other series could not be read.");
    }
  };
  useShortcut("[", "previous series", () => previous !== null && void open(previous), previous !== null);
  useShortcut("]", "next series", () => next !== null && void open(next), next !== null);
  return { previous, next, open, overview: filters === "" ? "/" : `/?${filters}` };
}
