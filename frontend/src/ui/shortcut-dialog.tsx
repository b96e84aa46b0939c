import { useRef, useState } from "react";

import { activeShortcuts, type Shortcut } from "../lib/shortcuts";
import { useShortcut } from "../lib/use-shortcut";

import { Keys } from "./keys";

/** The list of shortcuts of this page; `?` and the footer open it. */
export function ShortcutDialog({ shortcutsOn }: { shortcutsOn: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [shown, setShown] = useState<Shortcut[]>([]);
  const open = () => {
    setShown(activeShortcuts());
    dialog.current?.showModal();
  };
  useShortcut("?", "list of shortcuts", open);
  return (
    <>
      <button className="footbtn" type="button" onClick={open}>
        {shortcutsOn && <Keys keys="?" />} all shortcuts
      </button>
      <dialog ref={dialog} aria-labelledby="shortcut-title">
        <h2 id="shortcut-title">Keyboard shortcuts of this page</h2>
        {!shortcutsOn && <p className="soft">They are switched off in your settings.</p>}
        <dl className="kv shortcuts">
          {shown.map(({ keys, label }) => (
            <div key={keys}>
              <dt>
                <Keys keys={keys} />
              </dt>
              <dd>{label}</dd>
            </div>
          ))}
          <div>
            <dt>
              <Keys keys="Esc" />
            </dt>
            <dd>close this list; then clear the search</dd>
          </div>
        </dl>
        <div className="acts-row">
          <button className="btn" type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
      </dialog>
    </>
  );
}
