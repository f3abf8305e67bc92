import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { until } from "../../server/test/support/wait.ts";

// The builder of the dashboard, on sources that are built in a second.

const repository = fileURLToPath(new URL("../../", import.meta.url));
const root = await mkdtemp(join(tmpdir(), "tidings-build-"));
const folder = join(root, "dashboard");
for (const name of ["build.ts", "vite.config.ts", "package.json", "index.html", "src/icon.svg"])
  await cp(join(repository, "dashboard", name), join(folder, name));
await writeFile(join(folder, "src/main.tsx"), "document.title = 'built';");
await mkdir(join(root, "contract"));
await mkdir(join(root, "sdk/react"), { recursive: true });
await writeFile(join(root, "sdk/react/styles.css"), "");
await symlink(join(repository, "node_modules"), join(root, "node_modules"));
afterAll(() => rm(root, { recursive: true }));

const start = () => spawn(process.execPath, [join(folder, "build.ts")], { stdio: "ignore" });
const exists = (name: string) =>
  stat(join(folder, name)).then(
    () => true,
    () => false,
  );

test("a builder that is stopped leaves no lock, and one that finds a lock waits for its end", async () => {
  const stopped = start();
  await until(() => exists(".building"), "the lock");
  stopped.kill("SIGTERM");
  await once(stopped, "exit");
  expect([await exists(".building"), await exists("dist")]).toEqual([false, false]);

  await mkdir(join(folder, ".building"));
  const waiting = start();
  const ended = once(waiting, "exit");
  expect(await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1_000, "waits"))])).toBe("waits");
  await rm(join(folder, ".building"), { recursive: true });
  expect(await ended).toEqual([0, null]);
  expect(await readFile(join(folder, "dist/index.html"), "utf8")).toContain("NONCE-OF-THIS-ANSWER");
});
