import { readConfig } from "../../platform/config.ts";
import { createKey, revokeKey } from "../../workspaces/index.ts";
import { withDatabase } from "../connect/database.ts";
import { Refused } from "../terminal/refused.ts";
import { chosenWorkspace } from "./workspaces.ts";

/** Calls `work` with temporary keys. They are created in the database, beside the service, and revoked also if the work fails. */
export async function withTemporaryKeys(
  name: string,
  workspaceId: string | undefined,
  work: (keys: { secret: string; public: string }) => Promise<void>,
): Promise<void> {
  await withDatabase(readConfig(), async (db) => {
    const workspace = await chosenWorkspace(db, workspaceId);
    const [secret, pub] = await db.transaction(async (tx) => [
      await createKey(tx, workspace.id, { kind: "secret", name }, new Date()),
      await createKey(tx, workspace.id, { kind: "public", name }, new Date()),
    ]);
    const interrupted = new Promise<never>((_, reject) => {
      for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => reject(new Refused("interrupted")));
    });
    try {
      await Promise.race([work({ secret: secret?.key ?? "", public: pub?.key ?? "" }), interrupted]);
    } finally {
      await db.transaction(async (tx) => {
        for (const made of [secret, pub]) if (made) await revokeKey(tx, workspace.id, made.row.id, new Date());
      });
    }
  });
}
