import { probeSource, runSource, updateSource } from "../../api/sources";
import type { Source } from "../../api/types";
import { Mark } from "../../ui/mark";
import { announce } from "../../lib/announce";
import { isPushed } from "../../lib/pushed";

import { RemoveButton } from "./remove-button";
import { useSourceMutation } from "./use-source-mutation";

/** Run, test, pause and remove a source, as far as one may; one line says who can do the rest. */
export function ConnectionActions({ source }: { source: Source }) {
  const { slug, paused, can } = source;
  const run = useSourceMutation(() => runSource(slug), (answer) => answer.sentence);
  const test = useSourceMutation(() => probeSource(slug), () => null);
  const failure = run.error ?? test.error;
  return (
    <>
      <div className="acts-row">
        {can.ingest && (
          <>
            <button className="btn pri" type="button" disabled={paused || run.isPending} onClick={() => run.mutate()}>
              Run now
            </button>
            <button className="btn" type="button" disabled={test.isPending} onClick={() => test.mutate()}>
              Test connection
            </button>
          </>
        )}
        {can.admin && (
          <>
            <PauseButton source={source} />
            <RemoveButton source={source} />
          </>
        )}
      </div>
      {!can.admin && <p className="note">Only an owner or an admin of this source can {can.ingest ? "change it" : "change it or start a run"}.</p>}
      <div aria-live="polite">
        {test.data && <p className="problem"><Mark kind={test.data.ok ? "okk" : "bad"}>{test.data.sentence}</Mark></p>}
        {failure && (
          <p className="problem">
            <Mark kind="bad">{failure.message}</Mark>
          </p>
        )}
      </div>
    </>
  );
}

/** Stops or resumes the reading of a source, or the taking of what others push to it. */
export function PauseButton({ source }: { source: Source }) {
  const { slug, paused } = source;
  const words = isPushed(source) ? PUSH_WORDS : RUN_WORDS;
  const pause = useSourceMutation(
    () => updateSource(slug, { paused: !paused }),
    (answer) => (answer.paused ? words.paused : words.resumed),
  );
  const act = () => pause.mutate(undefined, { onError: (error) => announce(error.message) });
  return (
    <>
      <button className="btn" type="button" disabled={pause.isPending} onClick={act}>
        {paused ? words.resume : words.pause}
      </button>
      {pause.error && <Mark kind="bad">{pause.error.message}</Mark>}
    </>
  );
}

const RUN_WORDS = {
  pause: "Pause hourly runs",
  resume: "Resume hourly runs",
  paused: "Paused: no hourly runs until it is resumed",
  resumed: "Resumed: the next hourly run reads what is missing",
};
const PUSH_WORDS = {
  pause: "Refuse pushes",
  resume: "Take pushes again",
  paused: "Paused: pushes are refused until it is resumed",
  resumed: "Resumed: pushes are taken again",
};
