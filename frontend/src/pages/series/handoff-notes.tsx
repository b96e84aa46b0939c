import { useQuery } from "@tanstack/react-query";
import { useState, type ToggleEvent } from "react";

import { handoffNoteQuery } from "../../api/findings";
import type { NoteRef, SeriesDetail } from "../../api/types";
import { CopyButton } from "../../ui/copy-button";
import { Region } from "../../ui/region";

/** Whose the cause is, in a sentence, and a note for each neighbour cause, filled with the numbers of this series. */
export function HandoffNotes({ series, notes }: { series: SeriesDetail; notes: readonly NoteRef[] }) {
  const { handoff } = series;
  const fitting = notes.filter(({ fits }) => fits);
  const others = notes.filter(({ fits }) => !fits);
  if (handoff === null && notes.length === 0) return null;
  return (
    <section id="handoff" aria-labelledby="handoff-heading">
      <h2 id="handoff-heading">{handoff ? `Handoff: ${handoff.verdict_owner}` : "Handoff notes"}</h2>
      {handoff && (
        <>
          <p className="quote">{handoff.text}</p>
          <CopyButton label="Copy the sentence" text={handoff.text} done="The sentence is on the clipboard" />
        </>
      )}
      {fitting.map((note) => <Note key={note.key} seriesId={series.id} note={note} />)}
      {others.length > 0 && (
        <details className="othernotes">
          <summary>{fitting.length > 0 ? "Notes for other causes" : "Notes for neighbour causes"}</summary>
          {others.map((note) => <Note key={note.key} seriesId={series.id} note={note} />)}
        </details>
      )}
    </section>
  );
}

/** One note, read when it is opened. */
function Note({ seriesId, note }: { seriesId: number; note: NoteRef }) {
  const [opened, setOpened] = useState(false);
  const onToggle = ({ currentTarget }: ToggleEvent<HTMLDetailsElement>) => {
    if (currentTarget.open) setOpened(true);
  };
  return (
    <details className="handoffnote" onToggle={onToggle}>
      <summary>{note.title}</summary>
      {opened && <NoteText seriesId={seriesId} note={note} />}
    </details>
  );
}

function NoteText({ seriesId, note }: { seriesId: number; note: NoteRef }) {
  const query = useQuery(handoffNoteQuery(seriesId, note.key));
  return (
    <Region query={query} what="the note" rows={4}>
      {({ html, markdown }) => (
        <>
          <CopyButton label="Copy as Markdown" text={markdown} done="The note is on the clipboard as Markdown" />
          {/* Made of a file of the repository and the numbers of the series, and cleaned by the server. */}
          <div className="quote prose" dangerouslySetInnerHTML={{ __html: html }} />
        </>
      )}
    </Region>
  );
}
