import pg from "pg";
import { readConfig } from "../../platform/config.ts";
import { byCommand, createWorkspace, setSuspended } from "../../workspaces/index.ts";
import { withAddress, withDatabase } from "../connect/database.ts";
import { quoted, tablesOf } from "../connect/tables.ts";
import { Refused } from "../terminal/refused.ts";

/**
 * Calls `work` with the keys of a temporary workspace. It is created in the database, beside the service, and removed with everything in
 * it, also if the work fails. It has no provider, so no message leaves the machine.
 */
export async function withTemporaryWorkspace(
  name: string,
  work: (keys: { secret: string; public: string }) => Promise<void>,
): Promise<void> {
  const config = readConfig();
  await withDatabase(config, async (db) => {
    const { workspace, secretKey, publicKey } = await db.transaction((tx) => createWorkspace(tx, name));
    const interrupted = new Promise<never>((_, reject) => {
      for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => reject(new Refused("interrupted")));
    });
    try {
      await Promise.race([work({ secret: secretKey, public: publicKey }), interrupted]);
    } finally {
      // The workspace is suspended first, so that every process drops its keys.
      await db.transaction((tx) => setSuspended(tx, byCommand(workspace.id, `tidings ${name}`), true, new Date()));
      await withAddress(config, (url) => remove(url, workspace.id));
    }
  });
}

async function remove(url: string, workspaceId: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("begin");
    const tables = (await tablesOf(client)).filter(({ columns }) => columns.includes("workspace_id"));
    const empty = async (name: string) =>
      client.query(`delete from ${quoted(name)} where workspace_id = $1`, [workspaceId]);
    for (const { name } of tables.toReversed()) await empty(name);
    // To delete deliveries writes rows here, because each counts as a change.
    await empty("delivery_changes");
    await client.query("delete from workspaces where id = $1", [workspaceId]);
    await client.query("commit");
  } finally {
    await client.end();
  }
}
