import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  root,
  // Whatever NODE_ENV says: the other runtime is for development, and would come along in the package.
  oxc: { jsx: { runtime: "automatic", development: false } },
  build: {
    target: "es2022",
    sourcemap: true,
    lib: {
      entry: `${root}src/index.ts`,
      formats: ["es", "cjs"],
      fileName: (format) => (format === "es" ? "index.js" : "cjs/index.js"),
    },
    rolldownOptions: {
      external: [/^react($|\/)/, "@tidings/web"],
      // Hooks and events: in an application with server components this is a part of the client.
      output: { banner: '"use client";' },
    },
  },
});
