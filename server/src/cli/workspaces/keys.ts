import { parseArgs } from "node:util";
import { type ApiKeyInput, type KeyScope, keyScopes } from "@tidings/contract/workspaces";
import { readConfig } from "../../platform/config.ts";
import { decodeId, encodeId } from "../../platform/ids.ts";
import { parseInstant } from "../../platform/time/clock.ts";
import { durationMs } from "../../platform/time/duration.ts";
import { byCommand, createKey, keysOf, revokeKey, rollKey, workspaceOfKey } from "../../workspaces/index.ts";
import { withDatabase } from "../connect/database.ts";
import { columns, printJson } from "../terminal/columns.ts";
import { Refused } from "../terminal/refused.ts";
import { chosenWorkspace } from "./workspaces.ts";

/** The API lists more keys than this, in pages. */
const MOST = 1_000;

/** `tidings keys create|list|roll|revoke`. */
export async function keys(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      workspace: { type: "string" },
      kind: { type: "string" },
      name: { type: "string" },
      scopes: { type: "string" },
      expires: { type: "string" },
      overlap: { type: "string" },
      json: { type: "boolean" },
    },
  });
  const [verb, argument = ""] = positionals;
  const now = new Date();
  if (verb !== "create" && verb !== "list" && verb !== "roll" && verb !== "revoke")
    throw new Refused("keys takes create, list, roll or revoke");
  const input = verb === "create" ? keyInput(values, now) : undefined;
  const overlap = values.overlap === undefined ? undefined : lengthOf(values.overlap, "--overlap");
  const named = verb === "roll" || verb === "revoke";
  const id = named ? decodeId("key", argument) : undefined;
  if (named && !id) throw new Refused(`${verb} takes the id of a key: see \`npx tidings keys list\``);

  await withDatabase(readConfig(), async (db) => {
    // The id alone is enough to revoke a key: nobody should have to look for the workspace of a key that has leaked.
    const workspace =
      id && values.workspace === undefined ? await workspaceOfKey(db, id) : await chosenWorkspace(db, values.workspace);
    if (!workspace) throw new Refused(`there is no key ${argument}: see \`npx tidings keys list\``);
    const origin = byCommand(workspace.id, `tidings keys ${verb}`);
    const shown = (row: KeyRow, key: string) => {
      if (values.json) return printJson({ ...shape(row), key });
      console.log(`${encodeId("key", row.id)}  ${key}`);
      console.log("The key is shown only this once: Tidings stores its hash.");
    };
    if (input) {
      const { row, key } = await db.transaction((tx) => createKey(tx, origin, input, now));
      shown(row, key);
    } else if (verb === "roll" && id) {
      const roll = { ...(overlap && { overlap }), ...(values.expires && { expires_at: endOf(values.expires, now) }) };
      const { row, key, replaced } = await db.transaction((tx) => rollKey(tx, origin, { id, ...roll }, now));
      shown(row, key);
      if (!values.json) console.log(`${argument} works until ${replaced.expires_at?.toISOString()}.`);
    } else if (verb === "revoke" && id) {
      await db.transaction((tx) => revokeKey(tx, origin, id, now));
      if (values.json) return printJson({ id: argument, revoked: true });
      console.log("Revoked: calls with the key get 401 within 1 s.");
    } else {
      const rows = await keysOf(db, workspace.id, undefined, MOST);
      if (values.json) return printJson(rows.map(shape));
      const cells = rows.map((row) => [
        encodeId("key", row.id),
        row.kind,
        stateOf(row, now),
        row.scopes?.join(",") ?? "everything",
        row.created_at.toISOString(),
        row.last_used_at?.toISOString() ?? "never",
        row.name,
      ]);
      console.log(columns(["id", "kind", "state", "scopes", "created", "last used", "name"], cells));
    }
  });
}

type KeyRow = Awaited<ReturnType<typeof keysOf>>[number];

const shape = ({ id, kind, name, scopes, created_at, expires_at, last_used_at, revoked_at }: KeyRow) => ({
  id: encodeId("key", id),
  kind,
  name,
  scopes,
  created_at,
  expires_at,
  last_used_at,
  revoked_at,
});

function stateOf({ revoked_at, expires_at }: KeyRow, now: Date): string {
  if (revoked_at) return "revoked";
  if (!expires_at) return "active";
  return expires_at <= now ? "expired" : `until ${expires_at.toISOString()}`;
}

type Options = Partial<Record<"kind" | "name" | "scopes" | "expires", string>>;

/** Reads the options of `create`. @throws Refused */
function keyInput({ kind, name, scopes: list, expires }: Options, now: Date): ApiKeyInput {
  if (kind !== "secret" && kind !== "public")
    throw new Refused("say which kind: --kind secret (back ends) or --kind public (applications)");
  if (name !== undefined && (name.length < 1 || name.length > 200))
    throw new Refused("--name takes 1 to 200 characters");
  const scopes = list?.split(",").map((scope) => scope.trim());
  const wrong = scopes?.find((scope) => !keyScopes.includes(scope as KeyScope));
  if (wrong !== undefined) throw new Refused(`--scopes takes a list of ${keyScopes.join(", ")}, separated by commas`);
  if (scopes && kind === "public") throw new Refused("--scopes limits a secret key: a public key is limited already");
  return {
    kind,
    ...(name && { name }),
    ...(scopes && { scopes: [...new Set(scopes)] as KeyScope[] }),
    ...(expires !== undefined && { expires_at: endOf(expires, now) }),
  };
}

const UNITS = { m: "minutes", h: "hours", d: "days" } as const;

/** Reads a length of time such as `90d`, `12h` or `30m`. @throws Refused */
function lengthOf(text: string, option: string): { amount: number; unit: (typeof UNITS)[keyof typeof UNITS] } {
  const [, amount = "", unit = ""] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  if (!amount) throw new Refused(`${option} takes a length of time such as 30m, 12h or 90d`);
  return { amount: Number(amount), unit: UNITS[unit as keyof typeof UNITS] };
}

/** Reads a time, or a length of time from now. @throws Refused */
function endOf(text: string, now: Date): string {
  const instant = parseInstant(text);
  if (instant && instant <= now) throw new Refused("--expires must be in the future");
  if (instant) return instant.toISOString();
  if (!/^\d+\w$/.test(text))
    throw new Refused("--expires takes a time such as 2027-01-31T00:00:00Z, or a length such as 90d");
  return new Date(now.getTime() + durationMs(lengthOf(text, "--expires"))).toISOString();
}
