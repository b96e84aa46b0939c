import { onlineManager } from "@tanstack/react-query";
import { afterEach, expect, it } from "vitest";

import { createQueryClient } from "./query-client";
import { networkError } from "./errors";

afterEach(() => onlineManager.setOnline(true));

it("a change while offline fails at once in words, and does not wait in silence", async () => {
  onlineManager.setOnline(false);
  const client = createQueryClient();
  const change = client.getMutationCache().build(client, { mutationFn: () => Promise.reject(networkError(new TypeError("Failed to fetch"))) });
  await expect(change.execute(undefined)).rejects.toThrow("The server did not answer.");
  expect(change.state.isPaused).toBe(false);
});
