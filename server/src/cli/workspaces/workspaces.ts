import { parseArgs } from "node:util";
import { readConfig } from "../../platform/config.ts";
import type { Db, Queries } from "../../platform/db/index.ts";
import { decodeId, encodeId } from "../../platform/ids.ts";
import { allWorkspaces, byCommand, createWorkspace, setSuspended, type Workspace } from "../../workspaces/index.ts";
import { withDatabase } from "../connect/database.ts";
import { columns, printJson } from "../terminal/columns.ts";
import { Refused } from "../terminal/refused.ts";

/** `tidings workspaces create|list|suspend|resume`. */
export async function workspaces(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({ args, options: { json: { type: "boolean" } }, allowPositionals: true });
  const [verb, argument] = positionals;
  const config = readConfig();
  if (verb === "list") {
    const rows = await withDatabase(config, allWorkspaces);
    if (values.json) {
      return printJson(
        rows.map(({ id, name, status, created_at }) => ({ id: encodeId("ws", id), name, status, created_at })),
      );
    }
    const cells = rows.map((row) => [encodeId("ws", row.id), row.status, row.created_at.toISOString(), row.name]);
    console.log(columns(["id", "status", "created", "name"], cells));
  } else if (verb === "create") {
    const name = argument?.trim();
    if (!name || name.length > 200) throw new Refused("give the workspace a name of 1 to 200 characters");
    const made = await withDatabase(config, (db) => db.transaction((tx) => createWorkspace(tx, name)));
    const id = encodeId("ws", made.workspace.id);
    if (values.json) return printJson({ id, name, secret_key: made.secretKey, public_key: made.publicKey });
    console.log(`workspace    ${id}`);
    console.log(`secret key   ${made.secretKey}`);
    console.log(`public key   ${made.publicKey}`);
    console.log("The keys are shown only this once: Tidings stores their hashes.");
  } else if (verb === "suspend" || verb === "resume") {
    const id = decodeId("ws", argument ?? "");
    const suspend = verb === "suspend";
    const change = (db: Db) =>
      db.transaction((tx) => setSuspended(tx, byCommand(id ?? "", `tidings workspaces ${verb}`), suspend, new Date()));
    const done = id && (await withDatabase(config, change));
    if (!done)
      throw new Refused(`there is no workspace ${argument ?? "without an id"}: see \`npx tidings workspaces list\``);
    if (values.json) return printJson({ id: argument, status: suspend ? "suspended" : "active" });
    console.log(suspend ? "Suspended: calls with its keys get 403 within 1 s." : "Resumed.");
  } else {
    throw new Refused("workspaces takes create, list, suspend or resume");
  }
}

/** The workspace that a command means: the one named, or the only one. */
export async function chosenWorkspace(db: Queries, given: string | undefined): Promise<Workspace> {
  const all = await allWorkspaces(db);
  if (given !== undefined) {
    const found = all.find((row) => encodeId("ws", row.id) === given);
    if (!found) throw new Refused(`there is no workspace ${given}: see \`npx tidings workspaces list\``);
    return found;
  }
  const [only, ...more] = all;
  if (!only) throw new Refused("the database has no workspace yet: start the service once");
  if (more.length > 0) throw new Refused("there are several workspaces: name one with --workspace WS_ID");
  return only;
}
