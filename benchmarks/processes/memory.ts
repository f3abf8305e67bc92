import { setTimeout as sleep } from "node:timers/promises";

// The floors import this file, and the service under test preloads it (node --import). It answers the parent's request for the
// memory, {rss} in bytes after a garbage collection (--expose-gc), and ends a process whose parent has ended.
process.on("message", async () => {
  for (let i = 0; i < 5; i++) {
    globalThis.gc?.();
    await sleep(100);
  }
  process.send?.({ rss: process.memoryUsage.rss() });
});
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
