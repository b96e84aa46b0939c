import { useId, useRef, type ReactNode } from "react";

interface AskButtonProps {
  /** What the button and the dialog's own button say: "Remove source". */
  action: string;
  question: string;
  /** What happens, in words. */
  children: ReactNode;
  onConfirm: () => void;
  className?: string;
}

/** A button that asks before it acts. */
export function AskButton({ action, question, children, onConfirm, className = "btn" }: AskButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const close = () => dialog.current?.close();
  return (
    <>
      <button className={className} type="button" onClick={() => dialog.current?.showModal()}>
        {action}
      </button>
      <dialog ref={dialog} aria-labelledby={titleId}>
        <h2 id={titleId}>{question}</h2>
        <div className="soft">{children}</div>
        <div className="acts-row">
          <button
            className="btn pri"
            type="button"
            onClick={() => {
              close();
              onConfirm();
            }}
          >
            {action}
          </button>
          <button className="btn" type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </dialog>
    </>
  );
}
