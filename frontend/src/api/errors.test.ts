import { describe, expect, it } from "vitest";

import { answerError, ApiError, networkError, shouldRetry } from "./errors";

describe("errors of the API", () => {
  it("carry the sentence, the request id and the fields", () => {
    const error = answerError(422, {
      error: { code: "invalid", message: "One value cannot be used.", request_id: "r1", fields: [{ name: "limit", message: "must be 500 or less" }] },
    });
    expect([error.status, error.code, error.message, error.requestId]).toEqual([422, "invalid", "One value cannot be used.", "r1"]);
    expect(error.field("limit")).toBe("must be 500 or less");
    expect(error.field("offset")).toBeNull();
  });

  it("have a sentence even when the answer has none", () => {
    expect(answerError(502, "<html>").message).toBe("The server answered 502 without saying why.");
    expect(networkError(new TypeError("failed to fetch")).status).toBe(0);
  });

  it("are never asked again for when they are final", () => {
    const refusals = [401, 403, 404, 422].map((status) => shouldRetry(0, new ApiError(status, "x", "x")));
    expect(refusals).toEqual([false, false, false, false]);
    const broken = new ApiError(503, "x", "x");
    expect([shouldRetry(0, broken), shouldRetry(1, broken), shouldRetry(2, broken)]).toEqual([true, true, false]);
    expect(shouldRetry(0, networkError(null))).toBe(true);
  });
});
