import { describe, expect, it } from "vitest";

import { guideParts } from "./guide-parts";

describe("guideParts", () => {
  it("cut a chapter at its headings and keep every word", () => {
    const html = '<p>First.</p><h3 id="money-a">Of <code>a</code></h3>\n<p>One.</p><h4 id="money-b">Inside</h4><p>Two.</p><h3 id="money-c">Last</h3><p>Three.</p>';
    expect(guideParts(html)).toEqual({
      before: "<p>First.</p>",
      parts: [
        { anchor: "money-a", title: "Of <code>a</code>", html: '\n<p>One.</p><h4 id="money-b">Inside</h4><p>Two.</p>' },
        { anchor: "money-c", title: "Last", html: "<p>Three.</p>" },
      ],
    });
  });

  it("are none where a chapter has no heading", () => expect(guideParts("<p>Only.</p>")).toEqual({ before: "<p>Only.</p>", parts: [] }));
});
