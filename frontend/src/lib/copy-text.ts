import { announce } from "./announce";

/** Puts text on the clipboard and says so; without a clipboard it says that too. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(done);
  } catch {
    announce("The browser did not allow copying. Select the text and copy it by hand.");
  }
}
