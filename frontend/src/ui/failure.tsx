import { ApiError } from "../api/errors";

interface FailureProps {
  /** What could not be done: "The runs could not be read". */
  what: string;
  error: Error;
  onRetry?: () => void;
}

/** An error in words: what failed, why, the request id, and a way to try again. */
export function Failure({ what, error, onRetry }: FailureProps) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div className="failure" role="alert">
      <h3>{what}</h3>
      <p>{error.message}</p>
      {requestId && (
        <p className="sub">
          Request <code>{requestId}</code>
        </p>
      )}
      {onRetry && (
        <button className="btn" type="button" onClick={onRetry}>
          Retry
        </button>
      )}
    </div>
  );
}
