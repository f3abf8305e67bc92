import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Whatever NODE_ENV says: the other runtime is for development, and twice as large.
  oxc: { jsx: { runtime: "automatic", development: false } },
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  // The service replaces this word by a new nonce in each answer.
  html: { cspNonce: "NONCE-OF-THIS-ANSWER" },
  build: {
    target: "es2022",
    // They have light-dark(), which would otherwise be rewritten for a page that declares its themes in another way.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    manifest: true,
    // An image in the style sheet would need `data:` in the policy, and each preload the polyfill.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
