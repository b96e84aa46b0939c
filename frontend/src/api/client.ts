import createClient, { type Middleware } from "openapi-fetch";

import { answerError, networkError } from "./errors";
import { csrfToken } from "./csrf";
import type { paths } from "./schema.gen";

const withCsrf: Middleware = {
  onRequest({ request }) {
    if (request.method !== "GET") request.headers.set("X-CSRFToken", csrfToken());
    return request;
  },
};

/** The typed transport. Only the modules of src/api import it. */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: "same-origin",
  // Looked up at call time, so that a wrapped fetch is honoured.
  fetch: (request) => globalThis.fetch(request),
});
api.use(withCsrf);

interface Answer<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
}

/** The body of a 2xx answer; everything else becomes an ApiError. */
export async function unwrap<Body>(answer: Promise<Answer<Body>>): Promise<Body> {
  const { data, error, response } = await answer.catch((cause: unknown) => {
    throw networkError(cause);
  });
  if (!response.ok) throw answerError(response.status, error);
  return data as Body;
}
