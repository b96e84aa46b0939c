import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { me, pageOf } from "../../testing/fixtures";
import { renderApp } from "../../testing/render-app";
import { accept, answer, refuse, server } from "../../testing/server";
import { member, source, token } from "../../testing/source-fixtures";

describe("members", () => {
  it("are added with a role; the one-time link is shown once", async () => {
    const sent: unknown[] = [];
    const jonas = member({ id: 2, email: "jonas@example.org", role: "member", is_you: false });
    const link = "http://127.0.0.1:8000/signin/abc";
    server.use(answer("post", "/members", { member: jonas, sign_in_url: link, expires_at: "2026-11-27T15:22:00Z" }, (_, body) => sent.push(body)));
    const { user } = renderApp("/settings");
    const form = within(await screen.findByRole("form", { name: "Add a member" }));
    await user.type(form.getByLabelText("E-mail"), "jonas@example.org");
    await user.click(form.getByRole("button", { name: "Add member" }));
    expect(await screen.findByLabelText(/One-time link for jonas@example.org/)).toHaveValue(link);
    expect(sent).toEqual([{ email: "jonas@example.org", role: "member", source_slugs: null }]);
    await user.click(screen.getByRole("button", { name: "Copy" }));
    expect(await navigator.clipboard.readText()).toBe(link);
    await user.click(screen.getByRole("button", { name: "Done" }));
    expect(screen.queryByDisplayValue(link)).not.toBeInTheDocument();
  });

  it("keep a refused address in the field, with the reason under it", async () => {
    const fields = [{ name: "email", message: "jonas@example.org has access already" }];
    server.use(refuse("post", "/members", 422, { code: "member_exists", message: "One value cannot be used.", fields }));
    const { user } = renderApp("/settings");
    const field = within(await screen.findByRole("form", { name: "Add a member" })).getByLabelText("E-mail");
    await user.type(field, "jonas@example.org");
    await user.click(screen.getByRole("button", { name: "Add member" }));
    await waitFor(() => expect(field).toHaveAccessibleDescription("jonas@example.org has access already"));
    expect(field).toHaveValue("jonas@example.org");
    expect(field).toHaveFocus();
  });

  it("get another role, another link, or are removed after asking", async () => {
    const sent: unknown[] = [];
    const removed: string[] = [];
    const jonas = member({ id: 2, email: "jonas@example.org", role: "member", is_you: false, source_slugs: ["acme"] });
    server.use(
      answer("get", "/members", pageOf([member(), jonas])),
      answer("patch", "/members/2", { ...jonas, role: "admin" }, (_, body) => sent.push(body)),
      answer("post", "/members/2/sign-in-link", { sign_in_url: "http://127.0.0.1:8000/signin/xyz", expires_at: "2026-11-27T15:22:00Z" }),
      accept("delete", "/members/2", (url) => removed.push(url.pathname)),
    );
    const { user } = renderApp("/settings");
    await user.selectOptions(await screen.findByLabelText("Role of jonas@example.org"), "Admin");
    await waitFor(() => expect(sent).toEqual([{ role: "admin", source_slugs: ["acme"] }]));
    await user.click(screen.getByRole("button", { name: "Make one-time link" }));
    expect(await screen.findByDisplayValue("http://127.0.0.1:8000/signin/xyz")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Remove member" }));
    await user.click(within(screen.getByRole("dialog", { name: "Remove jonas@example.org?" })).getByRole("button", { name: "Remove member" }));
    await waitFor(() => expect(removed).toEqual(["/api/v1/members/2"]));
  });
});

describe("the sources of a member", () => {
  const jonas = member({ id: 2, email: "jonas@example.org", role: "member", is_you: false, source_slugs: ["acme"] });
  const serve = (sent: unknown[]) =>
    server.use(
      answer("get", "/sources", pageOf([source(), source({ slug: "other", name: "Other" })])),
      answer("get", "/members", pageOf([member(), jonas])),
      answer("patch", "/members/2", jonas, (_, body) => sent.push(body)),
    );

  it("are changed by ticking others, and none means every source", async () => {
    const sent: unknown[] = [];
    serve(sent);
    const { user } = renderApp("/settings");
    await user.click(await screen.findByLabelText("Sources of jonas@example.org: acme"));
    const form = within(screen.getByRole("form", { name: "Sources of jonas@example.org" }));
    expect(form.getByRole("checkbox", { name: "Acme AI" })).toBeChecked();
    await user.click(form.getByRole("checkbox", { name: "Other" }));
    await user.click(form.getByRole("button", { name: "Save sources" }));
    await waitFor(() => expect(sent).toEqual([{ role: "member", source_slugs: ["acme", "other"] }]));
    await user.click(screen.getByLabelText("Sources of jonas@example.org: acme"));
    await user.click(form.getByRole("checkbox", { name: "Acme AI" }));
    await user.click(form.getByRole("checkbox", { name: "Other" }));
    await user.click(form.getByRole("button", { name: "Save sources" }));
    await waitFor(() => expect(sent.at(-1)).toEqual({ role: "member", source_slugs: null }));
  });

  it("are every source for whom is made an owner, and for oneself", async () => {
    const sent: unknown[] = [];
    serve(sent);
    const { user } = renderApp("/settings");
    await user.selectOptions(await screen.findByLabelText("Role of jonas@example.org"), "Owner");
    await waitFor(() => expect(sent).toEqual([{ role: "owner", source_slugs: null }]));
    expect(screen.getAllByRole("form", { name: /^Sources of/, hidden: true })).toHaveLength(1);
  });
});

describe("tokens", () => {
  it("need a scope, and are shown in clear once", async () => {
    const sent: unknown[] = [];
    server.use(answer("post", "/tokens", { token: "cw_secret", item: token() }, (_, body) => sent.push(body)));
    const { user } = renderApp("/settings");
    const form = within(await screen.findByRole("form", { name: "Make a token" }));
    await user.type(form.getByLabelText("Name"), "nightly report");
    await user.click(form.getByRole("checkbox", { name: /^read/ }));
    await user.click(form.getByRole("button", { name: "Make token" }));
    expect(await form.findByText("Tick at least one scope.")).toBeVisible();
    await user.click(form.getByRole("checkbox", { name: /^read/ }));
    await user.click(form.getByRole("checkbox", { name: /^ingest/ }));
    await user.click(form.getByRole("button", { name: "Make token" }));
    expect(await screen.findByDisplayValue("cw_secret")).toBeVisible();
    expect(sent).toEqual([{ name: "nightly report", scopes: ["read", "ingest"], expires_in_days: 90 }]);
  });

  it("are revoked after asking", async () => {
    const revoked: string[] = [];
    server.use(answer("get", "/tokens", pageOf([token()])), accept("delete", "/tokens/1", (url) => revoked.push(url.pathname)));
    const { user } = renderApp("/settings");
    await user.click(await screen.findByRole("button", { name: "Revoke token" }));
    await user.click(within(screen.getByRole("dialog", { name: "Revoke nightly report?" })).getByRole("button", { name: "Revoke token" }));
    await waitFor(() => expect(revoked).toEqual(["/api/v1/tokens/1"]));
  });
});

describe("one's own account", () => {
  it("switches the shortcuts off, and they are off at once", async () => {
    server.use(answer("patch", "/me", me({ shortcuts_on: false })));
    const { user, address } = renderApp("/settings");
    await user.click(await screen.findByRole("checkbox", { name: "Keyboard shortcuts" }));
    await waitFor(() => expect(screen.getByRole("checkbox", { name: "Keyboard shortcuts" })).not.toBeChecked());
    screen.getByRole("checkbox", { name: "Keyboard shortcuts" }).blur();
    await user.keyboard("gs");
    expect(address()).toBe("/settings");
  });

  it("sets a password and shows the server's objection at the field", async () => {
    const fields = [{ name: "password", message: "This password is too common." }];
    server.use(refuse("patch", "/me", 422, { fields }));
    const { user } = renderApp("/settings");
    const field = await screen.findByLabelText("New password");
    await user.type(field, "password123");
    await user.click(screen.getByRole("button", { name: "Save password" }));
    await waitFor(() => expect(field).toHaveAccessibleDescription(/This password is too common/));
  });

  it("sees no members and no tokens without the role for it, and one line that says who can", async () => {
    server.use(answer("get", "/me", me({ role: "member", can: { annotate: true, ingest: false, admin: false, add_source: false } })));
    renderApp("/settings");
    expect(await screen.findByText("Only an owner can see and change who has access.")).toBeVisible();
    expect(screen.getByText("Only an owner or an admin can make API tokens.")).toBeVisible();
    expect(screen.queryByRole("form", { name: "Add a member" })).not.toBeInTheDocument();
  });
});
