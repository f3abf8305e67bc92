import { workerData } from "node:worker_threads";
import { createLog, type Log, logRejections } from "../platform/log.ts";
import { type OtherThread, otherThread } from "../platform/threads/other-thread.ts";
import { giveWay } from "../platform/threads/priority.ts";
import { answerScrapes } from "../platform/threads/scrape.ts";
import { END, type Given, STARTED, STOP, STOPPED } from "./background.ts";
import { openGround } from "./open.ts";
import { startWorker } from "./worker.ts";

// The thread of the background work: see background.ts, which starts it. Here process.exit ends the thread and not the process.

giveWay();

const { port, databaseUrl, encryptionKey, node, lastCall, ...given } = workerData as Given;
const config = { ...given.config, roles: new Set(["worker"] as const) };
const log: Log = createLog(config, { tell: (what, message) => other.tell(what, message) });
const other: OtherThread = otherThread(port, (error) =>
  log.error({ err: error }, "a message of the thread that answers requests was not taken"),
);
logRejections(log);
// A copy of a buffer is a plain array of bytes.
const options = { databaseUrl, encryptionKey: Buffer.from(encryptionKey) };
const { ground, close } = await openGround(config, options, log, { node, other, lastCall, does: "background work" });
answerScrapes(other, ground.metrics.registry);
const worker = await startWorker(ground, config.databaseDirectUrl ?? databaseUrl);
other.on(STOP, () => {
  void worker.stop().finally(() => other.tell(STOPPED, undefined));
});
other.on(END, () => {
  void close().finally(() => process.exit(0));
});
other.tell(STARTED, undefined);
