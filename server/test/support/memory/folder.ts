import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
/** The largest tests had 0.3 GB of files at once; PostgreSQL may keep 2 GB of its log. */
const ROOM = 4 * 1024 ** 3;

/**
 * Returns the folder for the files of a database that ends with the tests: in memory if there is room, else the system's folder for
 * temporary files. Each clone of the template is 600 files: with them on a disk, PostgreSQL took 85 s of CPU for 60 test files, and
 * 38 s with them in memory.
 */
export function memoryFolder(): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) > ROOM ? MEMORY : tmpdir();
  } catch {
    // No Linux, or not for this user.
    return tmpdir();
  }
}
