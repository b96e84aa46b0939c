import { useState, type SubmitEvent } from "react";

import { setTeamNote } from "../../api/findings";
import type { SeriesWork, TeamNote } from "../../api/types";
import { Field } from "../../ui/field";
import { fieldError } from "../../ui/form-error";
import { formatMoment } from "../../lib/time";

import { useWorkChange } from "./finding-change";
import { FindingProblem } from "./finding-problem";

/** What a team wants to know of a series, for those who come after. */
export function TeamNotePart({ seriesId, work: { team_note: note, can_write } }: { seriesId: number; work: SeriesWork }) {
  const [edits, setEdits] = useState(false);
  const isEmpty = note === null || note.text === "";
  if (isEmpty && !can_write) return null;
  return (
    <section id="team-note" aria-labelledby="team-note-heading">
      <h2 id="team-note-heading">Team note</h2>
      {isEmpty ? <p className="sub">Nothing is noted yet: what should whoever looks here next know of this series?</p> : <Shown note={note} />}
      {edits && <NoteForm seriesId={seriesId} note={note} onDone={() => setEdits(false)} />}
      {can_write && !edits && <button className="linkbtn" type="button" onClick={() => setEdits(true)}>{isEmpty ? "Write team note" : "Edit team note"}</button>}
    </section>
  );
}

function Shown({ note }: { note: TeamNote }) {
  return (
    <>
      {/* Markdown of a member, made into HTML and cleaned by the server. */}
      <div className="quote prose" dangerouslySetInnerHTML={{ __html: note.html }} />
      <p className="sub">{note.changed_by ?? "Somebody who has left"}, <time dateTime={note.changed_at}>{formatMoment(note.changed_at)} UTC</time></p>
    </>
  );
}

function NoteForm({ seriesId, note, onDone }: { seriesId: number; note: TeamNote | null; onDone: () => void }) {
  const [text, setText] = useState(note?.text ?? "");
  const [seen, setSeen] = useState(note?.version ?? 0);
  const save = useWorkChange((version: number) => setTeamNote(seriesId, text, version), () => "The team note is saved");
  const send = (version: number) => save.mutate(version, { onSuccess: onDone });
  const redo = () => {
    setSeen(note?.version ?? 0);
    send(note?.version ?? 0);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    send(seen);
  };
  return (
    <form className="form" onSubmit={submit} aria-label="Team note">
      <Field label="Team note, Markdown" error={fieldError(save.error, "text")}>
        {(attributes) => <textarea {...attributes} rows={6} maxLength={20000} autoFocus value={text} onChange={(event) => setText(event.target.value)} />}
      </Field>
      <FindingProblem error={save.error} fields={["text"]} action="Save mine over it" redo={redo} />
      <div className="row">
        <button className="btn" type="submit" disabled={save.isPending}>Save team note</button>
        <button className="linkbtn" type="button" onClick={onDone}>Cancel</button>
      </div>
    </form>
  );
}
