import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { evidenceDetail, evidencePage, evidenceRow } from "../../testing/evidence-fixture";
import { renderApp } from "../../testing/render-app";
import { answer, refuse, server } from "../../testing/server";

const GATEWAY = { import_into: [{ slug: "azure", name: "Azure", kind: "requests" }] };

describe("the requests that were pushed for a series", () => {
  it("are read without a file, and their page opens", async () => {
    const asked: string[] = [];
    server.use(
      answer("get", "/evidence", evidencePage([], GATEWAY)),
      answer("post", "/evidence/stored-requests", evidenceRow({ id: 9, path: "/evidence/9" }), (url) => asked.push(url.search)),
      answer("get", "/evidence/9", evidenceDetail({ id: 9 })),
    );
    const { user, address } = renderApp("/evidence?series=4");
    await user.selectOptions(await screen.findByLabelText("Requests of"), "Last day");
    await user.click(screen.getByRole("button", { name: "Read the stored requests" }));
    expect(await screen.findByText(/^The stored requests are read/)).toBeVisible();
    expect(asked).toEqual(["?series_id=4&days=1"]);
    await waitFor(() => expect(address()).toBe("/evidence/9"));
  });

  it("say so where there are none", async () => {
    const message = "no request of this series was pushed in the last 7 days";
    server.use(
      answer("get", "/evidence", evidencePage([], GATEWAY)),
      refuse("post", "/evidence/stored-requests", 422, { code: "invalid", fields: [{ name: "series_id", message }] }),
    );
    const { user } = renderApp("/evidence?series=4");
    await user.click(await screen.findByRole("button", { name: "Read the stored requests" }));
    expect(await screen.findByText(message)).toBeVisible();
  });

  it("are not offered where no source takes requests, or no series is meant", async () => {
    server.use(answer("get", "/evidence", evidencePage([], GATEWAY)));
    renderApp("/evidence");
    expect(await screen.findByRole("button", { name: "Import log" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Read the stored requests" })).not.toBeInTheDocument();
  });
});
