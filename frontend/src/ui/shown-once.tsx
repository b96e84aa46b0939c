import { useEffect, useRef } from "react";

import { copyText } from "../lib/copy-text";

interface ShownOnceProps {
  /** What it is and that it will not be shown again. */
  label: string;
  secret: string;
  onDone: () => void;
}

/** A link or token that is shown this once, ready to copy. */
export function ShownOnce({ label, secret, onDone }: ShownOnceProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), [secret]);
  return (
    <div className="once" role="status">
      <label>
        {label}
        <input ref={field} className="mono" type="text" readOnly value={secret} onFocus={(event) => event.target.select()} />
      </label>
      <div className="row">
        <button className="btn pri" type="button" onClick={() => void copyText(secret, "Copied")}>
          Copy
        </button>
        <button className="btn" type="button" onClick={onDone}>
          Done
        </button>
      </div>
    </div>
  );
}
