// Runs before the first paint, so that a chosen theme does not flash.
try {
  const theme = localStorage.getItem("cachewatch-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be switched off; the page then follows the system theme.
}
