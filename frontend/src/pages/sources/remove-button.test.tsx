import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { pageOf } from "../../testing/fixtures";
import { renderApp } from "../../testing/render-app";
import { answer, refuse, server } from "../../testing/server";

describe("removing a source", () => {
  it("says before removal which imported logs, markers and readouts go too", async () => {
    const asked: string[] = [];
    const totalOf = (path: string, total: number) => answer("get", path, { ...pageOf([]), total, states: [] }, ({ pathname, search }) => asked.push(pathname + search));
    server.use(totalOf("/evidence", 3), totalOf("/markers", 1), totalOf("/readouts", 2));
    const { user } = renderApp("/sources");
    await user.click(await screen.findByRole("button", { name: "Remove source" }));
    const dialog = within(screen.getByRole("dialog", { name: "Remove Acme AI?" }));
    expect(await dialog.findByText("3 imported logs, 1 marker and 2 readouts go too, and nothing brings them back.")).toBeVisible();
    expect(asked.toSorted()).toEqual(["evidence", "markers", "readouts"].map((kind) => `/api/v1/${kind}?source=acme&limit=1`));
  });

  it("says in general what goes too where it could not be counted", async () => {
    server.use(refuse("get", "/evidence", 403));
    const { user } = renderApp("/sources");
    await user.click(await screen.findByRole("button", { name: "Remove source" }));
    expect(screen.getByText("Its imported logs, markers and readouts go too, and nothing brings them back.")).toBeVisible();
  });
});
