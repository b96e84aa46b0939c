import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, vi } from "vitest";

import { NOW } from "./fixtures";
import { server } from "./server";

// A busy machine is no reason to fail.
configure({ asyncUtilTimeout: 8_000 });

// jsdom has no layout and no modal dialogs.
Element.prototype.scrollIntoView = () => undefined;
window.scrollTo = () => undefined;
HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
  this.open = false;
};

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  server.listen({ onUnhandledFrame: "error" });
});
afterEach(() => {
  cleanup();
  server.resetHandlers();
  sessionStorage.clear();
  document.title = "";
});
afterAll(() => server.close());
