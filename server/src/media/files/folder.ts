import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Problem } from "../../platform/http/index.ts";
import type { MediaFiles } from "./files.ts";

/** Keeps files in `media` below the data folder, in 256 folders by the first two letters of their names. */
export function folderFiles(dataDir: string): MediaFiles {
  const pathOf = (name: string) => join(dataDir, "media", name.slice(0, 2), name);
  return {
    async write(name, bytes) {
      const path = pathOf(name);
      // Complete or not at all: a reader never sees the half of a file.
      const unfinished = `${path}.${randomUUID()}`;
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        const file = await open(unfinished, "wx", 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(unfinished, path);
        await synced(dirname(path));
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => undefined);
        throw unavailable("written", error);
      }
    },
    async read(name) {
      try {
        const file = await open(pathOf(name), "r");
        const { size } = await file.stat();
        return { bytes: file.createReadStream(), size };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw unavailable("read", error);
      }
    },
    async remove(name) {
      await rm(pathOf(name), { force: true }).catch((error: unknown) => {
        throw unavailable("removed", error);
      });
    },
  };
}

/** Makes the new name itself survive a power cut. */
async function synced(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

function unavailable(done: string, cause: unknown): Problem {
  const full = ["ENOSPC", "EDQUOT"].includes((cause as NodeJS.ErrnoException).code ?? "");
  const why = full ? "The disk for images is full" : `The image can't be ${done} just now`;
  return new Problem("unavailable", `${why}. Repeat the request later.`, { headers: { "retry-after": "5" }, cause });
}
