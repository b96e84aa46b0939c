const KEY = "cachewatch-theme";

/** Switches between light and dark and remembers the choice; the first choice starts from the system's theme. */
export function toggleTheme(): void {
  const root = document.documentElement;
  const systemDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : systemDark;
  const next = dark ? "light" : "dark";
  root.dataset.theme = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Storage can be switched off; the choice then lasts as long as the page.
  }
}
