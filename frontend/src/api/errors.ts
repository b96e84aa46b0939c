export interface FieldMessage {
  name: string;
  message: string;
}

/** A refusal in words. `status` is 0 when no answer came. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null = null,
    readonly fields: readonly FieldMessage[] = [],
  ) {
    super(message);
    this.name = "ApiError";
  }

  /** What is wrong with one field, if the server said so. */
  field(name: string): string | null {
    return this.fields.find((field) => field.name === name)?.message ?? null;
  }
}

/** The error for an answer that is not 2xx; a body of another shape still gives a sentence. */
export function answerError(status: number, body: unknown): ApiError {
  const sent = detailOf(body);
  const message = sent?.message ?? `The server answered ${status} without saying why.`;
  return new ApiError(status, sent?.code ?? `http_${status}`, message, sent?.request_id ?? null, sent?.fields ?? []);
}

/** The error for a request that got no answer. */
export function networkError(cause: unknown): ApiError {
  const error = new ApiError(0, "no_answer", "The server did not answer. Check that cachewatch is running.");
  error.cause = cause;
  return error;
}

interface Detail {
  code: string;
  message: string;
  request_id: string;
  fields: FieldMessage[];
}

function detailOf(body: unknown): Partial<Detail> | null {
  if (typeof body !== "object" || body === null || !("error" in body)) return null;
  const { error } = body;
  return typeof error === "object" && error !== null ? error : null;
}

const FINAL: readonly number[] = [400, 401, 403, 404, 405, 409, 413, 422];

/** Whether asking again can help: never for a refusal, twice for anything else. */
export function shouldRetry(failures: number, error: unknown): boolean {
  if (error instanceof ApiError && FINAL.includes(error.status)) return false;
  return failures < 2;
}
