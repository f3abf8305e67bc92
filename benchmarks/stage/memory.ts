import { setTimeout as sleep } from "node:timers/promises";

/** Lets the parent ask for this process's settled memory: {rss} in bytes after the garbage is collected (--expose-gc). */
export function answerMemory(): void {
  process.on("message", async () => {
    for (let i = 0; i < 5; i++) {
      globalThis.gc?.();
      await sleep(100);
    }
    process.send?.({ rss: process.memoryUsage.rss() });
  });
  process.on("disconnect", () => process.exit(0));
}
