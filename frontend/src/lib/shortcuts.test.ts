import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { activeShortcuts, pressKey, registerShortcut } from "./shortcuts";

let pressed: string[] = [];
let undo: (() => void)[] = [];

const register = (keys: string, name = keys) => {
  undo.push(registerShortcut({ keys, label: name, run: () => pressed.push(name) }));
};

function press(key: string, at = 0, target: HTMLElement = document.body, init: KeyboardEventInit = {}) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  Object.defineProperty(event, "target", { value: target });
  pressKey(event, at);
  return event;
}

beforeEach(() => {
  pressed = [];
  undo = [];
  ["g o", "g s", "o", "Enter", "Escape"].forEach((keys) => register(keys));
});
afterEach(() => undo.forEach((take) => take()));

describe("shortcuts", () => {
  it("take a second key for a sequence, and only soon after the first", () => {
    press("g", 0);
    press("o", 500);
    press("g", 1_000);
    press("o", 9_000);
    press("o", 9_100);
    expect(pressed).toEqual(["g o", "o", "o"]);
  });

  it("leave fields, links and modified keys alone", () => {
    press("o", 0, document.createElement("input"));
    press("o", 0, document.createElement("textarea"));
    press("Enter", 0, document.createElement("a"));
    press("o", 0, document.body, { ctrlKey: true });
    expect(pressed).toEqual([]);
    press("Escape", 0, document.createElement("input"));
    expect(pressed).toEqual(["Escape"]);
  });

  it("let the newest of equal keys go first, and list each keys once", () => {
    register("o", "newer o");
    press("o");
    expect(pressed).toEqual(["newer o"]);
    expect(activeShortcuts().filter(({ keys }) => keys === "o")).toHaveLength(1);
    undo.pop()?.();
    press("o");
    expect(pressed).toEqual(["newer o", "o"]);
  });

  it("take the key away from the browser only when they use it", () => {
    expect(press("o").defaultPrevented).toBe(true);
    expect(press("w").defaultPrevented).toBe(false);
  });
});
