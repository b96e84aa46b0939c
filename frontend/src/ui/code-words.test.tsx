import { render } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { CodeWords } from "./code-words";

function codes(text: string): string[] {
  const { container } = render(<CodeWords text={text} />);
  expect(container).toHaveTextContent(text);
  return [...container.querySelectorAll("code")].map((code) => code.textContent);
}

describe("CodeWords", () => {
  it("sets calls, names with underscores and what they are set to as code", () => {
    expect(codes('Call client.responses.create(..., prompt_cache_key="rag-answer-v3"). At most 64 characters.')).toEqual([
      'client.responses.create(..., prompt_cache_key="rag-answer-v3")',
    ]);
    expect(codes("Find the first byte that differs: cachewatch diff quiet.json busy.json names it.")).toEqual(["cachewatch diff quiet.json busy.json"]);
    expect(codes('Set prompt_cache_retention="24h" and prompt_cache_key.')).toEqual(['prompt_cache_retention="24h"', "prompt_cache_key"]);
  });

  it("leaves words in brackets alone", () => {
    expect(codes("Set a stable key (models before GPT-5.6) now.")).toEqual([]);
  });
});
