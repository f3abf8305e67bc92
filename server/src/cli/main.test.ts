import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";
import { tidings } from "../../test/support/tidings.ts";
import { readConfig } from "../platform/config.ts";
import { version } from "../platform/version.ts";
import { HELP, helpOf, isCommand } from "./help.ts";
import { announcement } from "./start/announce.ts";

const it = await testService();
const env = { DATABASE_URL: it.databaseUrl, ENCRYPTION_KEY: Buffer.alloc(32).toString("base64") };

/** Where the options of each command are read. */
const sources: Record<string, string> = {
  serve: "start/serve.ts",
  migrate: "migrations.ts",
  distribute: "distribute/distribute.ts",
  keys: "workspaces/keys.ts",
  workspaces: "workspaces/workspaces.ts",
  campaigns: "campaigns/campaigns.ts",
  doctor: "doctor.ts",
  demo: "demo/index.ts",
  members: "workspaces/members.ts",
  backup: "backup/backup.ts",
  restore: "backup/restore.ts",
  types: "type-files/write-types.ts",
  tail: "follow/tail.ts",
  webhooks: "follow/webhooks.ts",
};

test("the list of commands names every command", () => {
  const named = [...HELP.matchAll(/^ {2}npx tidings ([a-z]+) /gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(Object.keys(sources).toSorted());
});

test.each(Object.keys(sources))(
  "%s --help shows usage, an example, the exit codes and every option it takes",
  (name) => {
    if (!isCommand(name)) throw new Error(`${name} has no help`);
    const help = helpOf(name);
    for (const heading of ["Usage:", "Example:", "Exit codes:"]) expect(help).toContain(heading);
    const source = readFileSync(new URL(sources[name] ?? "", import.meta.url), "utf8");
    const taken = [...source.matchAll(/(?:"([\w-]+)"|(\w+)): \{ type: "/g)].map(([, quoted, plain]) => quoted ?? plain);
    const shown = [...help.matchAll(/^ {2}--([\w-]+)/gm)].map(([, option]) => option);
    expect(shown.toSorted()).toEqual(taken.toSorted());
  },
);

test("--help after a command shows the help of that command, and runs nothing", async () => {
  const command = tidings(["workspaces", "create", "Oops", "--help"], { env });
  expect(await command.exit).toBe(0);
  expect(command.stdout()).toBe(`${helpOf("workspaces")}\n`);
  const wrong = tidings(["keys", "--nonsense"], { env });
  expect(await wrong.exit).toBe(1);
  expect(wrong.output()).toContain("npx tidings keys --help");
});

test("--version is shown without loading the server", async () => {
  // Measured in CPU time, because other work on the machine delays the clock: 0.04 s, and 1.4 s with the server's code.
  const tell = "process.on('exit',()=>process.stderr.write(String(process.cpuUsage().user)))";
  const options = `--import=data:text/javascript,${encodeURIComponent(tell)}`;
  const command = tidings(["--version"], { env: { NODE_OPTIONS: options } });
  expect(await command.exit).toBe(0);
  expect(command.stdout().trim()).toBe(version);
  expect(Number(command.output().replace(version, ""))).toBeLessThan(300_000);
});

test("--json prints the same data as the text", async () => {
  const json = async (...args: string[]) => {
    const command = tidings([...args, "--json"], { env });
    await command.exit;
    return JSON.parse(command.stdout());
  };
  const made = await json("keys", "create", "--kind", "public", "--name", "app");
  expect(made).toMatchObject({
    id: expect.stringMatching(/^key_/),
    kind: "public",
    name: "app",
    key: expect.any(String),
  });
  expect(await json("keys", "list")).toContainEqual(
    expect.objectContaining({ id: made.id, kind: "public", name: "app", revoked_at: null }),
  );
  expect(await json("migrate")).toEqual({ ran: [] });
  expect(await json("doctor")).toContainEqual({ check: "database", state: "ok", detail: expect.any(String) });
  const workspace = await json("workspaces", "create", "Second");
  expect(workspace).toEqual({
    id: expect.stringMatching(/^ws_/),
    name: "Second",
    secret_key: expect.any(String),
    public_key: expect.any(String),
  });
  expect((await json("workspaces", "list")).map(({ name }: { name: string }) => name)).toContain("Second");
});

test("a start first prints what it begins", () => {
  const says = (more: Record<string, string>, hasData = true) =>
    announcement(readConfig({ DATA_DIR: "/srv/tidings", ...more }), hasData);
  expect(says({})).toMatch(/starting PostgreSQL in \/srv\/tidings, then the service on 127\.0\.0\.1 port 4000 \.\.\.$/);
  expect(says({}, false)).toContain("made now");
  const external = says({ ...env, DATABASE_URL: "postgres://u:secret@db/x", PORT: "0" });
  expect(external).toContain("DATABASE_URL");
  expect(external).not.toContain("secret");
});
