import { expect, it } from "vitest";

import { adminKeyProblem } from "./admin-key";

it("tells a project key from an admin key without asking the provider", () => {
  expect(adminKeyProblem(" sk-proj-4kZt8 ")).toBe(
    "This is a project key (sk-proj). OpenAI refuses it for usage. The key must start with sk-admin.",
  );
  expect(adminKeyProblem("sk-svcacct-1")).toMatch(/^This is a service account key/);
  expect(adminKeyProblem("sk-admin-9fQ2")).toBeNull();
});

it("asks for a key when there is none, or one that was broken while copying", () => {
  expect(adminKeyProblem("  ")).toBe("Enter the admin key.");
  expect(adminKeyProblem("sk-admin-1\nsk-admin-2")).toMatch(/line break/);
});
