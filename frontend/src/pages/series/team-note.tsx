import type { SubmitEvent } from "react";

import { setTeamNote } from "../../api/findings";
import type { SeriesWork, TeamNote } from "../../api/types";
import { Field } from "../../ui/field";
import { fieldError } from "../../ui/form-error";
import { formatMoment } from "../../lib/time";
import { useDraft } from "../../lib/use-draft";

import { useWorkChange } from "./finding-change";
import { FindingProblem } from "./finding-problem";

/** What is being written, and the version of the note that it started from. */
interface NoteDraft {
  text: string;
  seen: number;
}

/** What a team wants to know of a series, for those who come after. */
export function TeamNotePart({ seriesId, work: { team_note: note, can_write } }: { seriesId: number; work: SeriesWork }) {
  const draft = useDraft<NoteDraft | null>(`team-note ${seriesId}`, null);
  const isEmpty = note === null || note.text === "";
  if (isEmpty && !can_write) return null;
  return (
    <section id="team-note" aria-labelledby="team-note-heading">
      <h2 id="team-note-heading">Team note</h2>
      {isEmpty ? <p className="sub">Nothing is noted yet: what should whoever looks here next know of this series?</p> : <Shown note={note} />}
      {can_write && draft.value && <NoteForm seriesId={seriesId} note={note} draft={draft.value} write={draft.write} onDone={draft.discard} autoFocus={!draft.restored} />}
      {can_write && !draft.value && <button className="linkbtn" type="button" onClick={() => draft.write({ text: note?.text ?? "", seen: note?.version ?? 0 })}>{isEmpty ? "Write team note" : "Edit team note"}</button>}
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

interface NoteFormProps {
  seriesId: number;
  note: TeamNote | null;
  draft: NoteDraft;
  write: (draft: NoteDraft) => void;
  /** Once it is saved or given up. */
  onDone: () => void;
  autoFocus: boolean;
}

/** What is written stays in this tab, also when the page is left, until it is saved or cancelled. */
function NoteForm({ seriesId, note, draft, write, onDone, autoFocus }: NoteFormProps) {
  const post = async ({ text, seen }: NoteDraft) => {
    const saved = await setTeamNote(seriesId, text, seen);
    onDone();
    return saved;
  };
  const save = useWorkChange(post, () => "The team note is saved");
  const redo = () => {
    const anew = { ...draft, seen: note?.version ?? 0 };
    write(anew);
    save.mutate(anew);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(draft);
  };
  return (
    <form className="form" onSubmit={submit} aria-label="Team note">
      <Field label="Team note, Markdown" error={fieldError(save.error, "text")}>
        {(attributes) => <textarea {...attributes} rows={6} maxLength={20000} autoFocus={autoFocus} value={draft.text} onChange={(event) => write({ ...draft, text: event.target.value })} />}
      </Field>
      <FindingProblem error={save.error} fields={["text"]} action="Save mine over it" redo={redo} />
      <div className="row">
        <button className="btn" type="submit" disabled={save.isPending}>Save team note</button>
        <button className="linkbtn" type="button" onClick={onDone}>Cancel</button>
      </div>
    </form>
  );
}
