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
      {fitting.map((note) => <Note key={note.key} series={series} note={note} />)}
      {others.length > 0 && (
        <details className="othernotes">
          <summary>{fitting.length > 0 ? "Notes for other causes" : "Notes for neighbour causes"}</summary>
          {others.map((note) => <Note key={note.key} series={series} note={note} />)}
        </details>
      )}
    </section>
  );
}

/** It holds the table of keys and tiers, which the repair list asks for: so it is open at once. */
const PARTS_NOTE = "traffic-mix";

interface NoteProps {
  series: SeriesDetail;
  note: NoteRef;
}

/** One note, read when it is opened. */
function Note({ series, note }: NoteProps) {
  const [opened, setOpened] = useState(note.fits && note.key === PARTS_NOTE);
  const onToggle = ({ currentTarget }: ToggleEvent<HTMLDetailsElement>) => {
    setOpened(currentTarget.open);
  };
  return (
    <details className="handoffnote" open={opened} onToggle={onToggle}>
      <summary>{note.title}</summary>
      {opened && <NoteText series={series} note={note} />}
    </details>
  );
}

function NoteText({ series, note }: NoteProps) {
  const query = useQuery(handoffNoteQuery(series.id, note.key));
  return (
    <Region query={query} what="the note" rows={4}>
      {({ html, markdown }) => (
        <>
          <span className="factline">
            <CopyButton label="Copy as Markdown" text={markdown} done="The note is on the clipboard as Markdown" />
            <a href={`data:text/markdown;charset=utf-8,${encodeURIComponent(markdown)}`} download={fileName(series, note)} aria-label={`Download the note ${note.title} as a Markdown file`}>Download .md</a>
          </span>
          {/* Made of a file of the repository and the numbers of the series, and cleaned by the server. */}
          <div className="quote prose" dangerouslySetInnerHTML={{ __html: html }} />
        </>
      )}
    </Region>
  );
}

/** "retention note rag-answer gpt-5.4.md": which note, and of which series. */
function fileName({ project_name, model_name }: SeriesDetail, { key }: NoteRef): string {
  return `${key} note ${project_name} ${model_name}.md`.replaceAll("/", "-");
}
