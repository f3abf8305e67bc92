#!/usr/bin/env node
// Plain JavaScript, so that an older Node says a sentence instead of failing at the first type annotation.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `tidings needs Node 24 and this is ${process.version}. npm brings the right one: run it as \`npm start\` or \`npx tidings ...\` in the project's folder.`,
  );
  process.exit(1);
}
const { main } = await import("../src/cli/main.ts");
await main(process.argv.slice(2));
