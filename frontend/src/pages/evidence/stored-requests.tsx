import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";

import { EVIDENCE_KEY, isUnread, readStoredRequests } from "../../api/evidence";
import { Field } from "../../ui/field";
import { fieldError, FormError } from "../../ui/form-error";
import { announce } from "../../lib/announce";

const DAYS: readonly { days: number; label: string }[] = [
  { days: 1, label: "Last day" },
  { days: 7, label: "Last 7 days" },
  { days: 30, label: "Last 30 days" },
];

/** Has the pushed requests of a series read as evidence. */
export function StoredRequests({ seriesId }: { seriesId: number }) {
  const [days, setDays] = useState(7);
  const read = useRead(seriesId);
  return (
    <form className="form" onSubmit={(event) => { event.preventDefault(); read.mutate(days); }}>
      <Field label="Requests of" error={fieldError(read.error, "series_id")} hint="For series whose gateway pushes its requests. No file is needed.">
        {(attributes) => (
          <select {...attributes} value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {DAYS.map((choice) => <option key={choice.days} value={choice.days}>{choice.label}</option>)}
          </select>
        )}
      </Field>
      <FormError error={read.error} fields={["series_id"]} />
      <div className="row">
        <button className="btn" type="submit" disabled={read.isPending}>Read the stored requests</button>
      </div>
    </form>
  );
}

function useRead(seriesId: number) {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (days: number) => readStoredRequests(seriesId, days),
    onSuccess: (row) => {
      announce(isUnread(row) ? "The stored requests are being read" : `The stored requests are read: ${row.heading}`);
      void client.invalidateQueries({ queryKey: EVIDENCE_KEY });
      void navigate(row.path);
    },
  });
}
