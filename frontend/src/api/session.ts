import { csrfToken } from "./csrf";
import { ApiError, networkError } from "./errors";

const SESSION = "/_allauth/browser/v1/auth/session";
const LOGIN = "/_allauth/browser/v1/auth/login";

async function send(method: string, address: string, body?: unknown): Promise<Response> {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": csrfToken() };
  const sent = body === undefined ? undefined : JSON.stringify(body);
  return fetch(new URL(address, window.location.origin), { method, headers, body: sent, credentials: "same-origin" }).catch(
    (cause: unknown) => {
      throw networkError(cause);
    },
  );
}

/** Signs in with e-mail and password; throws an ApiError with the server's sentence. */
export async function signIn(email: string, password: string): Promise<void> {
  const answer = await send("POST", LOGIN, { email, password });
  // 409: this browser is signed in already.
  if (answer.ok || answer.status === 409) return;
  throw new ApiError(answer.status, "sign_in_failed", signInSentence(answer.status, await answer.json().catch(() => null)));
}

function signInSentence(status: number, body: unknown): string {
  if (status === 429) return "Too many tries. Wait some minutes, then try again.";
  if (status === 403) return "The page is too old to sign in with. Reload it, then try again.";
  const errors = (body as { errors?: { message?: string }[] } | null)?.errors;
  return errors?.[0]?.message ?? `Signing in failed: the server answered ${status}.`;
}

/** Ends the session. The server answers 401 when nobody is signed in any more, which is the wanted end. */
export async function signOut(): Promise<void> {
  const answer = await send("DELETE", SESSION);
  if (answer.ok || answer.status === 401) return;
  throw new ApiError(answer.status, "sign_out_failed", `Signing out failed: the server answered ${answer.status}.`);
}
