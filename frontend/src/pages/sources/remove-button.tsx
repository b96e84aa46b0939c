import { useQueries } from "@tanstack/react-query";
import { useNavigate } from "react-router";

import { keptOfQueries, removeSource } from "../../api/sources";
import type { Source } from "../../api/types";
import { AskButton } from "../../ui/ask-button";
import { announce } from "../../lib/announce";
import { plural } from "../../lib/format";
import { isPushed } from "../../lib/pushed";

import { useSourceMutation } from "./use-source-mutation";

/** Removes a source after asking. */
export function RemoveButton({ source }: { source: Source }) {
  const navigate = useNavigate();
  const remove = useSourceMutation(
    () => removeSource(source.slug),
    () => {
      void navigate("/sources");
      return `${source.name} removed`;
    },
  );
  const act = () => remove.mutate(undefined, { onError: (error) => announce(error.message) });
  const hours = plural(source.hours_stored, "stored hour");
  const series = plural(source.series_count, "series", "series");
  return (
    <AskButton action="Remove source" question={`Remove ${source.name}?`} onConfirm={act}>
      <p>
        {`${hours}, ${series} and their verdicts disappear from every page`}
        {isPushed(source)
          ? ". What was pushed is kept nowhere else here: only those who sent it can send it again."
          : ", and the stored key is deleted. The provider keeps its own history; adding the organization again reads it back as far as the provider allows."}
      </p>
      <KeptWords source={source} />
    </AskButton>
  );
}

/** What people brought, which goes too: nothing reads it back. */
function KeptWords({ source }: { source: Source }) {
  const [logs, markers, readouts] = useQueries({ queries: keptOfQueries(source.slug) }).map(({ data }) => data?.total);
  if (logs === undefined || markers === undefined || readouts === undefined) {
    return <p>Its imported logs, markers and readouts go too, and nothing brings them back.</p>;
  }
  if (logs + markers + readouts === 0) return null;
  return <p>{`${plural(logs, "imported log")}, ${plural(markers, "marker")} and ${plural(readouts, "readout")} go too, and nothing brings them back.`}</p>;
}
