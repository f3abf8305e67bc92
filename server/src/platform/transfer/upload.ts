import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Problem } from "../http/index.ts";

const MIB = 1024 * 1024;
const PREFIX = "tidings-upload-";
const DAY_MS = 86_400_000;

/** A file that a client sent, on disk. */
export interface Upload {
  /** Bytes. */
  size: number;
  bytes(): AsyncIterable<Uint8Array>;
  remove(): Promise<void>;
}

/**
 * Waits until an upload has arrived on disk. The file goes to disk because a request must arrive within 30 s, a million rows take
 * longer to write, and the memory can't hold many large files at once. The caller removes the upload.
 * @throws Problem payload_too_large beyond `most` bytes
 */
export async function received(body: AsyncIterable<Uint8Array>, most: number): Promise<Upload> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  const remove = () => rm(folder, { recursive: true, force: true });
  const file = join(folder, "upload");
  let size = 0;
  async function* limited(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > most)
        throw new Problem("payload_too_large", `The file is over the limit of ${most / MIB} MiB. Send it in parts.`);
      yield chunk;
    }
  }
  try {
    await pipeline(limited(), createWriteStream(file, { mode: 0o600 }));
  } catch (error) {
    await remove();
    throw error;
  }
  return { size, bytes: () => createReadStream(file), remove };
}

/** Removes uploads that killed processes left. Nobody reads an upload that is a day old. */
export async function removeLeftUploads(now: Date): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(tmpdir(), name);
    const found = await stat(folder).catch(() => undefined);
    // An upload of another user of the machine can't be removed.
    if (found && now.getTime() - found.mtimeMs > DAY_MS)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
