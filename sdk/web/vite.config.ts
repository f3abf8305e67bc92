import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));

// Not Vite's library mode, which leaves the white space in: who takes dist without a bundler would carry 1 KB more.
export default defineConfig({
  root,
  build: {
    target: "es2022",
    minify: true,
    sourcemap: true,
    modulePreload: false,
    rolldownOptions: {
      input: `${root}src/index.ts`,
      preserveEntrySignatures: "strict",
      output: [
        { format: "es", entryFileNames: "index.js" },
        { format: "cjs", entryFileNames: "cjs/index.js", exports: "named" },
        // For a script tag: `Tidings.createTidings(...)`.
        { format: "iife", entryFileNames: "tidings.global.js", name: "Tidings", exports: "named" },
      ],
    },
  },
});
