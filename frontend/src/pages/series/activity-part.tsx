import { useInfiniteQuery } from "@tanstack/react-query";
import { useRef, type KeyboardEvent, type SubmitEvent } from "react";

import { activityQuery, addComment } from "../../api/findings";
import type { Activity } from "../../api/types";
import { fieldError, FormError } from "../../ui/form-error";
import { Region } from "../../ui/region";
import { formatMoment } from "../../lib/time";
import { useDraft } from "../../lib/use-draft";
import { useShortcut } from "../../lib/use-shortcut";

import { useWorkChange } from "./finding-change";

/** What was done with a series, the latest first, and a place to comment. */
export function ActivityPart({ seriesId, canWrite }: { seriesId: number; canWrite: boolean }) {
  const query = useInfiniteQuery(activityQuery(seriesId));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <section id="activity" aria-labelledby="activity-heading">
      <h2 id="activity-heading">Activity</h2>
      <Region query={query} what="the activity" rows={3}>
        {({ items, total }) => (
          <>
            {items.length === 0 && <p className="sub">Nothing has been done here yet.</p>}
            <ol className="acty">
              {items.map((one) => <Item key={one.id} activity={one} />)}
            </ol>
            {hasNextPage && <button className="linkbtn" type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>{`Show earlier (${Math.max(total - items.length, 1)} more)`}</button>}
          </>
        )}
      </Region>
      {canWrite && <CommentForm key={seriesId} seriesId={seriesId} />}
    </section>
  );
}

function Item({ activity: { by, at, action, sentence, text } }: { activity: Activity }) {
  return (
    <li>
      <span className="who">{by ?? "cachewatch"}</span> <time dateTime={at}>{formatMoment(at)} UTC</time>
      <span className="said">{action === "comment" ? text : sentence}</span>
      {action !== "comment" && text !== "" && <span className="sub">{text}</span>}
    </li>
  );
}

function CommentForm({ seriesId }: { seriesId: number }) {
  const { value: text, write, discard } = useDraft(`comment ${seriesId}`, "");
  const isSending = useRef(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const post = async (comment: string) => {
    const made = await addComment(seriesId, comment);
    discard();
    return made;
  };
  const send = useWorkChange(post, () => "The comment is sent");
  useShortcut("c", "comment", () => field.current?.focus());
  const save = () => {
    // A second click in the same frame comes before the button is drawn as pressed.
    if (text.trim() === "" || isSending.current) return;
    isSending.current = true;
    send.mutate(text, { onSettled: () => (isSending.current = false) });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    save();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
  };
  return (
    <form className="form" onSubmit={submit}>
      <label>
        <span className="vh">Comment</span>
        <textarea ref={field} rows={2} required maxLength={5000} placeholder="Comment" value={text} onKeyDown={onKey} onChange={(event) => write(event.target.value)} aria-invalid={fieldError(send.error, "text") ? true : undefined} />
      </label>
      {fieldError(send.error, "text") && <p className="lint bad" role="alert">{fieldError(send.error, "text")}</p>}
      <FormError error={send.error} fields={["text"]} />
      <div className="row"><button className="btn" type="submit" disabled={send.isPending}>Comment</button></div>
    </form>
  );
}
