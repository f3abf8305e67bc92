import { readConfig } from "../../platform/config.ts";
import { byCommand, createKey, removeKey } from "../../workspaces/index.ts";
import { addressOf } from "../connect/address.ts";
import { type Client, clientOf } from "../connect/client.ts";
import { withDatabase } from "../connect/database.ts";
import { Refused } from "../terminal/refused.ts";
import { chosenWorkspace } from "./workspaces.ts";

const HOUR_MS = 3_600_000;
const READING = { scopes: ["read" as const] };

/** How a command uses its key. */
interface Use {
  /** It reads until Ctrl-C, to which it listens itself. Other commands end at Ctrl-C wherever they are. */
  follows?: boolean;
}

/** Returns the life of a key: a command that is killed can't remove it, so it expires by itself. */
const lifeOf = ({ follows }: Use): number => (follows ? 24 * HOUR_MS : HOUR_MS);

/** The options of a command that calls a running service. */
export interface Called {
  url?: string | undefined;
  "secret-key"?: string | undefined;
  workspace?: string | undefined;
}

/** Calls `work` with a client of the running service. Without `--secret-key` it has a temporary key. */
export async function withClient(
  name: string,
  options: Called,
  work: (client: Client) => Promise<void>,
  use: Use = {},
): Promise<void> {
  const address = addressOf(options.url);
  const { "secret-key": given, workspace } = options;
  const withKey = (secret: string) => work(clientOf(address, { secret, public: "" }));
  if (given !== undefined) await withKey(given);
  else await withTemporaryKey(name, workspace, withKey, use);
}

/** Calls `work` with a temporary secret key. It is created in the database, beside the service, and removed also if the work fails. */
async function withTemporaryKey(
  name: string,
  workspaceId: string | undefined,
  work: (secret: string) => Promise<void>,
  use: Use,
): Promise<void> {
  await withDatabase(readConfig(), async (db) => {
    const workspace = await chosenWorkspace(db, workspaceId);
    const command = `tidings ${name}`;
    const origin = byCommand(workspace.id, command);
    const expires_at = new Date(Date.now() + lifeOf(use)).toISOString();
    const input = { kind: "secret" as const, name: command, expires_at, ...(use.follows && READING) };
    const { key, row } = await db.transaction((tx) => createKey(tx, origin, input, new Date()));
    try {
      await (use.follows ? work(key) : Promise.race([work(key), interrupted()]));
    } finally {
      await db.transaction((tx) => removeKey(tx, origin, row.id, new Date()));
    }
  });
}

const interrupted = () =>
  new Promise<never>((_, reject) => {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => reject(new Refused("interrupted")));
  });
