import {
  type DestinationInput,
  type DestinationKind,
  type DestinationPatch,
  type DestinationTable,
  destinationKinds,
  destinationTables,
} from "@tidings/contract/destinations";
import { Closed } from "@tidings/contract/primitives";
import { fromNow, OLDEST } from "../activity/index.ts";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { checkShape, notFound, Problem } from "../platform/http/index.ts";
import { newId } from "../platform/ids.ts";
import { checkedAddress } from "../platform/outbound-http/index.ts";
import { KINDS, sealed } from "./far-ends/kinds.ts";
import { beforeAll, type StreamPlace } from "./streams/place.ts";
import { DESTINATIONS_CHANGED } from "./streams/work.ts";
import {
  countForInsert,
  type DestinationRow,
  deleteDestination,
  destinationById,
  insertDestination,
  lockDestination,
  updateDestination,
} from "./store.ts";

/** The most destinations of one workspace. Each reads everything that is written. */
const MOST_DESTINATIONS = 10;
/** Clocks of processes differ: what was queued until then belongs to the old rows, and may come in the log once more. */
const MARGIN_MS = 10 * 60_000;

/** Wrapped, so that an error names /settings/bucket and not /bucket. */
const shapes = Object.fromEntries(
  Object.entries(destinationKinds).map(([kind, { settings, credentials }]) => [
    kind,
    { settings: checkShape(Closed({ settings })), credentials: checkShape(Closed({ credentials })) },
  ]),
) as unknown as Record<DestinationKind, { settings(value: unknown): void; credentials(value: unknown): void }>;

/** @throws Problem invalid_request, address_not_allowed */
function checkSettings({ config }: Ground, kind: DestinationKind, settings: Record<string, unknown>): void {
  shapes[kind].settings({ settings });
  const { address } = KINDS[kind];
  const text = settings[address];
  if (typeof text === "string")
    checkedAddress(config, text, { at: `/settings/${address}`, signedBy: "they belong into credentials" });
}

/** Adds a destination. @throws Problem invalid_request, address_not_allowed, limit_reached */
export async function createDestination(
  tx: Tx,
  ground: Ground,
  workspaceId: string,
  input: DestinationInput,
): Promise<DestinationRow> {
  const { name, kind, settings, credentials, tables = [...destinationTables], from = "now" } = input;
  checkSettings(ground, kind, settings);
  shapes[kind].credentials({ credentials });
  if ((await countForInsert(tx, workspaceId)) >= MOST_DESTINATIONS)
    throw new Problem(
      "limit_reached",
      `A workspace has at most ${MOST_DESTINATIONS} export destinations. Remove one first.`,
    );
  const id = newId();
  const now = ground.clock.now();
  // What older transactions wrote belongs to the old rows.
  const { txid: start } = await fromNow(tx);
  const row = {
    workspace_id: workspaceId,
    id,
    name,
    kind,
    settings,
    credentials: sealed(ground, { id, credentials: null }, credentials),
    interval_seconds: input.interval_seconds ?? KINDS[kind].intervalSeconds,
  };
  const cursors = tables.map((table) => ({
    table,
    place: placeOf(table, from, start, now),
    // The log itself has the old entries: it is not known how old the first one is.
    sentUntil: from === "beginning" && table === "activity" ? null : now,
  }));
  await insertDestination(tx, row, { cursors, now });
  tx.signal(DESTINATIONS_CHANGED, [workspaceId]);
  return (await destinationById(tx, workspaceId, id)) as DestinationRow;
}

/** Where a stream begins. @param start the transaction that adds it */
function placeOf(table: DestinationTable, from: "beginning" | "now", start: string, now: Date): StreamPlace {
  const then = beforeAll(start);
  if (from === "now") return { log: then };
  if (table === "activity") return { log: OLDEST };
  const before = table === "events" ? start : new Date(now.getTime() + MARGIN_MS).toISOString();
  return { old: null, then, before };
}

/**
 * Changes a destination. Settings are replaced as a whole. Credentials stay unless new ones are given; they must be given again where the
 * address changes to which they go. @throws Problem not_found, invalid_request, address_not_allowed, credentials_missing
 */
export async function changeDestination(
  tx: Tx,
  ground: Ground,
  { workspaceId, id }: { workspaceId: string; id: string },
  patch: DestinationPatch,
): Promise<DestinationRow> {
  const before = await lockDestination(tx, workspaceId, id);
  if (!before) throw notFound("export destination");
  const { credentials, settings, ...rest } = patch;
  if (credentials) shapes[before.kind].credentials({ credentials });
  if (settings) {
    checkSettings(ground, before.kind, settings);
    if (!credentials) checkStay(before, settings);
  }
  const change = {
    ...rest,
    ...(settings && { settings }),
    ...(credentials && { credentials: sealed(ground, before, credentials) }),
  };
  await updateDestination(tx, { workspaceId, id }, change, ground.clock.now());
  tx.signal(DESTINATIONS_CHANGED, [workspaceId]);
  return (await destinationById(tx, workspaceId, id)) as DestinationRow;
}

/** @throws Problem credentials_missing where the stored credentials would go elsewhere than before */
function checkStay({ kind, settings }: DestinationRow, next: Record<string, unknown>): void {
  const { credentialsGoTo, address } = KINDS[kind];
  const [old, now] = [settings, next].map((one) => JSON.stringify(credentialsGoTo(one as never)));
  if (old === now) return;
  throw new Problem("credentials_missing", `Give the credentials again: settings.${address} decides where they go.`, {
    errors: [
      { pointer: "/credentials", message: `must be given again, because settings.${address} decides where they go` },
    ],
  });
}

/** Removes a destination. What was sent stays at the far end. @throws Problem not_found */
export async function removeDestination(tx: Tx, workspaceId: string, id: string): Promise<void> {
  if ((await deleteDestination(tx, workspaceId, id)) === 0) throw notFound("export destination");
}
