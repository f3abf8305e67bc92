import { expect, test } from "vitest";
import { testService } from "../../../test/support/service.ts";
import { tidings } from "../../../test/support/tidings.ts";

const it = await testService();
const env = { DATABASE_URL: it.databaseUrl, ENCRYPTION_KEY: Buffer.alloc(32).toString("base64") };

/** Returns the exit code of a command and the lines that it printed. */
async function run(...args: string[]): Promise<{ exit: number | string; lines: string[] }> {
  const command = tidings(args, { env });
  const exit = await command.exit;
  return { exit, lines: command.output().trim().split("\n") };
}

test("a key is revoked by its id alone, even if there are several workspaces", async () => {
  const other = await it.another("Second");
  const made = await it.call("POST", "/api/v1/api-keys", { key: other.secretKey, body: { kind: "secret" } });
  expect(await run("keys", "revoke", made.body.id)).toMatchObject({
    exit: 0,
    lines: [expect.stringMatching(/^Revoked/)],
  });
  const { data } = (await it.call("GET", "/api/v1/api-keys", { key: other.secretKey })).body;
  expect(data.find((row: { id: string }) => row.id === made.body.id).revoked_at).not.toBeNull();

  const unknown = "key_00000000000000000000000000";
  expect(await run("keys", "revoke", unknown)).toMatchObject({
    exit: 1,
    lines: [expect.stringContaining(`there is no key ${unknown}`)],
  });
  expect(await run("keys", "list")).toMatchObject({ exit: 1, lines: [expect.stringContaining("--workspace")] });
});
