#!/usr/bin/env node
// Plain JavaScript, so that an older Node says a sentence instead of failing at the first type annotation.
import { fileURLToPath } from "node:url";
import * as nodeModule from "node:module";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `tidings needs Node 24 and this is ${process.version}. npm brings the right one: run it as \`npm start\` or \`npx tidings ...\` in the project's folder.`,
  );
  process.exit(1);
}
// Beside the code and not in the system's folder for temporary files, where another user could put code in first. Where this user can't
// write there, every start compiles anew.
nodeModule.enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/tidings", import.meta.url)));
const { main } = await import("../src/cli/main.ts");
await main(process.argv.slice(2));
