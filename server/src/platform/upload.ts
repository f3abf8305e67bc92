import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Problem } from "./http/index.ts";

const MIB = 1024 * 1024;

/**
 * Gives `work` the bytes of an upload once all have arrived. They wait on disk: a request must arrive within 30 s, which a
 * million rows take longer to be written, and no machine has the memory for many large files at once.
 * @throws Problem payload_too_large beyond `most` bytes
 */
export async function uploaded<T>(
  body: AsyncIterable<Uint8Array>,
  most: number,
  work: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "tidings-upload-"));
  try {
    const file = join(folder, "upload");
    await pipeline(limited(body, most), createWriteStream(file, { mode: 0o600 }));
    return await work(createReadStream(file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* limited(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > most)
      throw new Problem("payload_too_large", `The file is over the limit of ${most / MIB} MiB. Send it in parts.`);
    yield chunk;
  }
}
