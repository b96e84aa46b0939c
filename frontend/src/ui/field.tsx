import { useId, type ReactElement, type ReactNode } from "react";

interface FieldAttributes {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

interface FieldProps {
  label: ReactNode;
  /** What is wrong with the value, in words. */
  error?: string | null;
  /** What the value means, under the field. */
  hint?: ReactNode;
  children: (attributes: FieldAttributes) => ReactElement;
}

/** A labelled form field with its hint and its error under it. */
export function Field({ label, error, hint, children }: FieldProps) {
  const id = useId();
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  const attributes: FieldAttributes = { id };
  if (described) attributes["aria-describedby"] = described;
  if (error) attributes["aria-invalid"] = true;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(attributes)}
      {error && (
        <p className="lint bad" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {hint && (
        <p className="sub" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
