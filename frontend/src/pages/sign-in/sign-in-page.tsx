import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, type SubmitEvent } from "react";
import { useNavigate, useSearchParams } from "react-router";

import { signIn } from "../../api/session";
import { Field } from "../../ui/field";
import { LiveRegion } from "../../ui/live-region";
import { Notice } from "../../ui/notice";
import { usePageTitle } from "../../lib/use-page-title";

/** E-mail and password; a one-time link needs no page. */
export function SignInPage() {
  usePageTitle("Sign in");
  const [params] = useSearchParams();
  return (
    <>
      <div className="topwrap">
        <header className="top">
          <span className="brand">cachewatch</span>
        </header>
      </div>
      <main className="page signin">
        <h1>Sign in</h1>
        <LinkNotice reason={params.get("reason")} />
        <SignInForm next={safeNext(params.get("next"))} />
        <p className="soft">
          No password yet, or lost? Use the one-time link from the terminal. In its folder on the machine where
          cachewatch runs, <code>.venv/bin/cachewatch signin-link EMAIL</code> prints a new one, good for 24 hours. EMAIL of the first owner is{" "}
          <code>owner@localhost</code>, unless <code>CACHEWATCH_OWNER_EMAIL</code> says otherwise. An owner can also make a link under Settings.
        </p>
      </main>
      <LiveRegion />
    </>
  );
}

const LINK_REASONS = new Map([
  ["link-used", "This sign-in link was used before, and each works only once."],
  ["link-expired", "This sign-in link has expired."],
  ["link-unknown", "This sign-in link is not known: it was cut short when copied, or withdrawn."],
]);

/** Why a one-time link led here instead of in. */
function LinkNotice({ reason }: { reason: string | null }) {
  const sentence = LINK_REASONS.get(reason ?? "");
  return sentence === undefined ? null : <Notice>{sentence} Sign in with your password, or use a new link.</Notice>;
}

/** Only a path on this site: another address after signing in would be an open door. */
export function safeNext(next: string | null): string {
  if (next === null || !next.startsWith("/")) return "/";
  const address = new URL(next, window.location.origin);
  return address.origin === window.location.origin ? address.pathname + address.search : "/";
}

function SignInForm({ next }: { next: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const password = useRef<HTMLInputElement>(null);
  const enter = useMutation({
    mutationFn: (form: FormData) => signIn(text(form, "email"), text(form, "password")),
    onSuccess: async () => {
      client.clear();
      await navigate(next, { replace: true });
    },
    onError: () => password.current?.focus(),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    enter.mutate(new FormData(event.currentTarget));
  };
  return (
    <form className="form" method="post" onSubmit={submit}>
      <Field label="E-mail">{(attributes) => <input {...attributes} type="email" name="email" autoComplete="username" required />}</Field>
      <Field label="Password" error={enter.error?.message}>
        {(attributes) => <input {...attributes} ref={password} type="password" name="password" autoComplete="current-password" required />}
      </Field>
      <div className="row">
        <button className="btn pri" type="submit" disabled={enter.isPending}>
          Sign in
        </button>
      </div>
    </form>
  );
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
