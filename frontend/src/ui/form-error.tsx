import { ApiError } from "../api/errors";

/** What a form's refusal says beyond its fields. */
export function FormError({ error, fields }: { error: Error | null; fields: readonly string[] }) {
  if (!error) return null;
  const elsewhere = error instanceof ApiError ? error.fields.filter(({ name }) => !fields.includes(name)) : [];
  const shownAtField = error instanceof ApiError && error.fields.length > 0 && elsewhere.length === 0;
  if (shownAtField) return null;
  return (
    <div className="lint bad" role="alert">
      <p>{error.message}</p>
      {elsewhere.map(({ name, message }) => (
        <p key={name}>
          {name}: {message}
        </p>
      ))}
      {error instanceof ApiError && error.requestId && (
        <p className="sub">
          Request <code>{error.requestId}</code>
        </p>
      )}
    </div>
  );
}

/** The message for one field of a failed form. */
export function fieldError(error: Error | null, name: string): string | null {
  return error instanceof ApiError ? error.field(name) : null;
}
