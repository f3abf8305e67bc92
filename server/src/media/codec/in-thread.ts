import { Worker } from "node:worker_threads";
import { Problem } from "../../platform/http/index.ts";
import { busy } from "../../platform/limits/fair-share.ts";
import type { Image } from "./rewrite.ts";
import type { ThreadAnswer } from "./thread.ts";

export type { Image } from "./rewrite.ts";

/** The most processor time of an image: a photo of 24 megapixels takes 5 s. A busy machine must not make a good image a wrong one. */
const HARD_CPU_MS = 20_000;
/** The longest that a caller waits for an image, on a machine that has other things to do. */
const HARD_MS = 60_000;
const LOOK_MS = 500;
/** A thread is kept for the next image: it takes 150 ms to start. Behind a larger image it ends, because a codec's memory never shrinks. */
const KEPT_PIXELS = 4_000_000;
const KEPT_MS = 30_000;

const refused = (text: string, large: boolean): Problem =>
  new Problem(large ? "image_too_large" : "image_refused", `The image ${text}.`);
const tooSlow = () => refused("takes too long to read: make it smaller", true);
const tooBusy = () => busy("The service has too much to do to read the image. Upload it again later.", 30);
const tooMuch = () => refused("needs too much memory to read: make it smaller", true);

let kept: { worker: Worker; timer: NodeJS.Timeout } | undefined;

function started(): Worker {
  const worker = new Worker(new URL("./thread.ts", import.meta.url), {
    execArgv: [],
    env: {},
    // What a codec says of a broken file is no line of the log.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

function taken(): Worker {
  if (!kept) return started();
  const { worker, timer } = kept;
  clearTimeout(timer);
  kept = undefined;
  worker.removeAllListeners("error");
  worker.ref();
  return worker;
}

function keep(worker: Worker): void {
  const end = () => {
    kept = undefined;
    void worker.terminate();
  };
  worker.once("error", end);
  worker.unref();
  kept = { worker, timer: setTimeout(end, KEPT_MS).unref() };
}

/**
 * Decodes an image and writes it anew in a thread, which ends if it takes too long or fails.
 * @throws Problem image_refused, image_too_large, busy
 */
export function rewrittenInThread(file: Buffer): Promise<Image> {
  const worker = taken();
  return new Promise<Image>((resolve, reject) => {
    let settled = false;
    const settle = (goesOn: boolean, work: () => void) => {
      // The thread may belong to another image already.
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      clearInterval(look);
      worker.removeAllListeners("message");
      worker.removeAllListeners("error");
      if (goesOn && !kept) keep(worker);
      else void worker.terminate();
      work();
    };
    const timer = setTimeout(() => settle(false, () => reject(tooBusy())), HARD_MS);
    let before: number | undefined;
    const look = setInterval(async () => {
      // A thread that is starting or ending has no answer.
      const { user = 0 } = (await worker.cpuUsage().catch(() => undefined)) ?? {};
      before ??= user;
      if (user - before > HARD_CPU_MS * 1_000) settle(false, () => reject(tooSlow()));
    }, LOOK_MS);
    worker.once("message", (answer: ThreadAnswer) => {
      if (!("image" in answer)) return settle(false, () => reject(refused(answer.refused, answer.large)));
      const { width, height, frames } = answer.image;
      settle(width * height * frames <= KEPT_PIXELS, () => resolve(answer.image));
    });
    worker.once("error", (error: NodeJS.ErrnoException) => {
      const full = error.code === "ERR_WORKER_OUT_OF_MEMORY" || error instanceof RangeError;
      settle(false, () => reject(full ? tooMuch() : error));
    });
    worker.postMessage(file);
  });
}
