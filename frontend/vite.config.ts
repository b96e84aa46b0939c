import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const DJANGO = "http://127.0.0.1:8000";

export default defineConfig(({ command }) => ({
  // The built files are served by Django below /static/app/; the dev server serves pages itself.
  base: command === "build" ? "/static/app/" : "/",
  plugins: [react()],
  build: { outDir: "dist", manifest: true, target: "es2023", assetsInlineLimit: 0, rolldownOptions: { checks: { bundlerTimings: false } } },
  server: {
    proxy: Object.fromEntries(
      ["/api", "/_allauth", "/signin/", "^/[^?]+\\.(csv|json)$"].map((path) => [path, DJANGO]),
    ),
  },
  test: {
    environment: "jsdom",
    globals: true,
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
    css: false,
    testTimeout: 30_000,
    maxWorkers: 2,
  },
}));
