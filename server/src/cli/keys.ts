import { parseArgs } from "node:util";
import { readConfig } from "../platform/config.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { createKey, keysOf, revokeKey, workspaceOfKey } from "../workspaces/index.ts";
import { columns, printJson } from "./columns.ts";
import { withDatabase } from "./database.ts";
import { Refused } from "./refused.ts";
import { chosenWorkspace } from "./workspaces.ts";

/** More keys than this in one workspace are listed by the API, page by page. */
const MOST = 1_000;

/** `tidings keys create|list|revoke`. */
export async function keys(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      workspace: { type: "string" },
      kind: { type: "string" },
      name: { type: "string" },
      json: { type: "boolean" },
    },
  });
  const [verb, argument = ""] = positionals;
  const { kind, name } = values;
  if (verb === "create" && kind !== "secret" && kind !== "public")
    throw new Refused("say which kind: --kind secret (back ends) or --kind public (applications)");
  if (name !== undefined && (name.length < 1 || name.length > 200))
    throw new Refused("--name takes 1 to 200 characters");
  const id = verb === "revoke" ? decodeId("key", argument) : undefined;
  if (verb === "revoke" && !id) throw new Refused("revoke takes the id of a key: see `npx tidings keys list`");
  if (verb !== "create" && verb !== "list" && verb !== "revoke") throw new Refused("keys takes create, list or revoke");

  await withDatabase(readConfig(), async (db) => {
    // A key's id is enough to end it: nobody should have to look for its workspace when it has leaked.
    const workspace =
      id && values.workspace === undefined ? await workspaceOfKey(db, id) : await chosenWorkspace(db, values.workspace);
    if (!workspace) throw new Refused(`there is no key ${argument}: see \`npx tidings keys list\``);
    if (verb === "create" && (kind === "secret" || kind === "public")) {
      const { row, key } = await db.transaction((tx) => createKey(tx, workspace.id, { kind, ...(name && { name }) }));
      const id = encodeId("key", row.id);
      if (values.json) return printJson({ id, kind, name: row.name, key });
      console.log(`${id}  ${key}`);
      console.log("The key is shown this once: only its hash is kept.");
    } else if (verb === "revoke" && id) {
      await db.transaction((tx) => revokeKey(tx, workspace.id, id, new Date()));
      if (values.json) return printJson({ id: argument, revoked: true });
      console.log("Revoked: it is answered 401 within 5 s.");
    } else {
      const rows = await keysOf(db, workspace.id, undefined, MOST);
      if (values.json) {
        return printJson(
          rows.map(({ id, kind, name, created_at, revoked_at }) => ({
            id: encodeId("key", id),
            kind,
            name,
            created_at,
            revoked_at,
          })),
        );
      }
      const cells = rows.map((row) => [
        encodeId("key", row.id),
        row.kind,
        row.revoked_at ? "revoked" : "active",
        row.created_at.toISOString(),
        row.name,
      ]);
      console.log(columns(["id", "kind", "state", "created", "name"], cells));
    }
  });
}
