import { setTimeout as sleep } from "node:timers/promises";

// Imported by the floors, and preloaded into the service under test (node --import): it lets the parent ask a process for its
// settled memory, {rss} in bytes after the garbage is collected (--expose-gc), and ends a process whose parent has gone.
process.on("message", async () => {
  for (let i = 0; i < 5; i++) {
    globalThis.gc?.();
    await sleep(100);
  }
  process.send?.({ rss: process.memoryUsage.rss() });
});
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
