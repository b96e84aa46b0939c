/** The token Django wants back in X-CSRFToken; empty when the cookie is absent. */
export function csrfToken(): string {
  const pair = document.cookie.split("; ").find((cookie) => cookie.startsWith("csrftoken="));
  return pair ? decodeURIComponent(pair.slice("csrftoken=".length)) : "";
}
