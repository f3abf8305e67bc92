import { parentPort } from "node:worker_threads";
import { Refusal } from "./refusal.ts";
import { type Image, rewritten } from "./rewrite.ts";

/** What the thread posts: the image, or why it is not taken. */
export type ThreadAnswer = { image: Image } | { refused: string; large: boolean };

parentPort?.on("message", async (file: Uint8Array) => parentPort?.postMessage(await answer(file)));

async function answer(file: Uint8Array): Promise<ThreadAnswer> {
  try {
    return { image: await rewritten(file) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: error.message, large: error.large };
  }
}
