import { copyText } from "../lib/copy-text";

interface CopyButtonProps {
  /** What the button says: "Copy the steps". */
  label: string;
  text: string;
  /** Read out once it is done. */
  done: string;
}

/** Puts text on the clipboard. */
export function CopyButton({ label, text, done }: CopyButtonProps) {
  return (
    <button className="linkbtn" type="button" onClick={() => void copyText(text, done)}>
      {label}
    </button>
  );
}
