import js from "@eslint/js";
import query from "@tanstack/eslint-plugin-query";
import { createNodeResolver, importX } from "eslint-plugin-import-x";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

// Imports go one way: lib and api know nothing of React parts, parts know nothing of pages.
const oneWay = {
  "import-x/no-restricted-paths": [
    "error",
    {
      zones: [
        { target: "./src/lib", from: "./src/ui" },
        { target: "./src/lib", from: "./src/pages" },
        { target: "./src/api", from: "./src/ui" },
        { target: "./src/api", from: "./src/pages" },
        { target: "./src/charts", from: "./src/pages" },
        { target: "./src/ui", from: "./src/pages" },
      ],
    },
  ],
};

export default tseslint.config(
  { ignores: ["dist", "coverage", "public", "src/api/schema.gen.ts"] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  ...query.configs["flat/recommended-strict"],
  reactHooks.configs.flat.recommended,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { "import-x": importX },
    settings: { "import-x/resolver-next": [createNodeResolver({ extensions: [".ts", ".tsx", ".js"] })] },
    rules: {
      ...oneWay,
      "max-lines": ["error", { max: 250 }],
      "no-restricted-imports": [
        "error",
        { paths: [{ name: "openapi-fetch", message: "Only src/api/client.ts knows the transport." }] },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
    },
  },
  { files: ["src/api/client.ts"], rules: { "no-restricted-imports": "off" } },
  { files: ["src/**/*.test.{ts,tsx}", "src/testing/**"], rules: { "@typescript-eslint/no-non-null-assertion": "off" } },
  { files: ["*.js"], extends: [tseslint.configs.disableTypeChecked] },
);
