import { fileURLToPath } from "node:url";
import { defaultClientConditions, defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // The packages of this repository from src; your own application needs no such line.
  resolve: { conditions: ["tidings-source", ...defaultClientConditions] },
  // An image of 4 KB in the style sheet would need `data:` in the policy of the page.
  build: { assetsInlineLimit: 0, modulePreload: false },
});
