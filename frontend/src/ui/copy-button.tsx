import { copyText } from "../lib/copy-text";

interface CopyButtonProps {
  /** What the button says: "Copy the steps". */
  label: string;
  text: string;
  /** Read out once it is done. */
  done: string;
  className?: string;
}

/** Puts text on the clipboard. */
export function CopyButton({ label, text, done, className = "linkbtn" }: CopyButtonProps) {
  return (
    <button className={className} type="button" onClick={() => void copyText(text, done)}>
      {label}
    </button>
  );
}
