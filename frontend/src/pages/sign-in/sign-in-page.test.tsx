import { screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it } from "vitest";

import { renderApp } from "../../testing/render-app";
import { refuse, server } from "../../testing/server";

import { safeNext } from "./sign-in-page";

const LOGIN = "*/_allauth/browser/v1/auth/login";
const SESSION = "*/_allauth/browser/v1/auth/session";

async function fillIn(user: ReturnType<typeof renderApp>["user"]) {
  await user.type(await screen.findByLabelText("E-mail"), "mira@example.org");
  await user.type(screen.getByLabelText("Password"), "a long password");
  await user.click(screen.getByRole("button", { name: "Sign in" }));
}

describe("a one-time link that does not sign in", () => {
  it.each([
    ["link-used", /was used before/],
    ["link-expired", /has expired/],
    ["link-unknown", /is not known/],
  ])("says why: %s", async (reason, words) => {
    renderApp(`/signin?reason=${reason}`);
    expect(await screen.findByText(words)).toHaveTextContent(/Sign in with your password, or use a new link\.$/);
  });

  it.each(["", "?reason=other", "?reason=toString"])("says nothing else: %s", async (search) => {
    renderApp(`/signin${search}`);
    expect(await screen.findByRole("heading", { name: "Sign in" })).toBeVisible();
    expect(screen.queryByText(/use a new link/)).not.toBeInTheDocument();
  });
});

describe("signing in", () => {
  it("is where somebody without a session is led, and leads back after", async () => {
    server.use(refuse("get", "/me", 401, { code: "not_signed_in" }));
    const { user, address } = renderApp("/sources?runs=failed");
    await waitFor(() => expect(address()).toBe("/signin?next=%2Fsources%3Fruns%3Dfailed"));
    expect(await screen.findByText(/\.venv\/bin\/cachewatch signin-link EMAIL/)).toBeVisible();
    expect(screen.getByText("owner@localhost")).toBeVisible();
    server.resetHandlers();
    server.use(http.post(LOGIN, () => HttpResponse.json({ status: 200 })));
    await fillIn(user);
    await waitFor(() => expect(address()).toBe("/sources?runs=failed"));
  });

  it("sends the CSRF token and shows the server's sentence about a wrong password", async () => {
    document.cookie = "csrftoken=tok%3D1";
    const sent: unknown[] = [];
    server.use(
      http.post(LOGIN, async ({ request }) => {
        sent.push(request.headers.get("X-CSRFToken"), await request.json());
        const errors = [{ code: "email_password_mismatch", param: "password", message: "The email address and/or password are not correct." }];
        return HttpResponse.json({ status: 400, errors }, { status: 400 });
      }),
    );
    const { user } = renderApp("/signin");
    await fillIn(user);
    const field = screen.getByLabelText("Password");
    await waitFor(() => expect(field).toHaveAccessibleDescription("The email address and/or password are not correct."));
    expect(field).toHaveFocus();
    expect(sent).toEqual(["tok=1", { email: "mira@example.org", password: "a long password" }]);
  });

  it("never leads to another site", () => {
    expect(safeNext("/sources?runs=failed")).toBe("/sources?runs=failed");
    expect(safeNext("//evil.example/")).toBe("/");
    expect(safeNext("/\\evil.example")).toBe("/");
    expect(safeNext("https://evil.example/")).toBe("/");
    expect(safeNext(null)).toBe("/");
  });
});

describe("signing out", () => {
  it("ends the session and leads to the sign-in page", async () => {
    server.use(http.delete(SESSION, () => HttpResponse.json({ status: 401 }, { status: 401 })));
    const { user, address } = renderApp("/settings");
    await user.click(await screen.findByRole("button", { name: "Account" }));
    await user.click(screen.getByRole("button", { name: "Sign out" }));
    await waitFor(() => expect(address()).toBe("/signin"));
  });
});
