import type { Actor, Difference } from "@tidings/contract/audit";
import type { Queries, Tx } from "../db/index.ts";
import { notFound, Problem, tagsOf } from "../http/index.ts";
import { insertEntry, lastEntry } from "./audit-store.ts";
import { type Authored, authoredHalf, parts, tagOf } from "./authored.ts";
import { differences, Secret } from "./differences.ts";

// A change of what people author is refused if somebody else was faster, and recorded in the transaction that makes it.

/** Where a change comes from. */
export interface Origin {
  /** The tenant, as in idempotency.ts. */
  scope: string;
  actor: Actor;
  /** Null for a change that no request made. */
  requestId: string | null;
  /** The header If-Match. */
  ifMatch?: string | undefined;
}

/** Returns the origin of a change that the service makes by itself. */
export const byItself = (scope: string): Origin => ({
  scope,
  actor: { type: "system", id: null, name: "Tidings" },
  requestId: null,
});

export interface Change {
  origin: Origin;
  /** What is done to it: `changed`, `activated`. */
  done: string;
  id: string;
  now: Date;
}

/**
 * Changes a resource: locks it, compares it with If-Match, lets `work` change it in the same transaction, and records what differs. `work`
 * returns the row as it is afterwards. If nothing differs, nothing is recorded, and If-Match is no reason to refuse: a client that repeats a
 * change after its answer was lost has made it already (RFC 9110, 13.1.1).
 * @throws Problem not_found, changed_meanwhile, and what `work` throws
 */
export async function changing<Row, After extends Row | undefined>(
  tx: Tx,
  kind: Authored<Row>,
  { origin, done, id, now }: Change,
  work: () => Promise<After>,
): Promise<After> {
  const before = await kind.locked(tx, origin.scope, id);
  if (!before) throw notFound(kind.noun);
  const old = kind.shape(before);
  const late = await changedMeanwhile(tx, kind, origin, before);
  if (late && done !== "changed") throw late;
  const after = await work().catch((error: unknown) => {
    throw late && error instanceof Problem ? late : error;
  });
  const found = differences(stateOf(kind, before), after && stateOf(kind, after));
  if (late && found.changes.length > 0) throw late;
  if (found.changes.length > 0)
    await recordChange(tx, origin, { ...subject(kind, after ? kind.shape(after) : old, done), ...found, now });
  return after;
}

/** Removes a resource, as `changing` changes one. */
export async function removing<Row>(
  tx: Tx,
  kind: Authored<Row>,
  change: Omit<Change, "done">,
  work: () => Promise<unknown>,
): Promise<void> {
  await changing(tx, kind, { ...change, done: "removed" }, async () => {
    await work();
    return undefined;
  });
}

/** Records a resource that was created. */
export async function created<Row>(
  tx: Tx,
  kind: Authored<Row>,
  origin: Origin,
  { row, now }: { row: Row; now: Date },
): Promise<void> {
  const found = differences(undefined, stateOf(kind, row));
  await recordChange(tx, origin, { ...subject(kind, kind.shape(row), "created"), ...found, now });
}

/** An entry of the log, without where it comes from. */
export interface Entry {
  action: string;
  resource: { type: string; id: string; name: string };
  changes?: Difference[];
  leftOut?: number;
  now: Date;
}

/** Writes an entry to the log of changes. */
export async function recordChange(tx: Queries, { scope, actor, requestId }: Origin, entry: Entry): Promise<void> {
  const { action, resource, changes = [], leftOut = 0, now } = entry;
  await insertEntry(tx, scope, {
    at: now,
    action,
    actor_type: actor.type,
    actor_id: actor.id,
    actor_name: actor.name,
    resource_type: resource.type,
    resource_id: resource.id,
    resource_name: resource.name,
    changes,
    left_out: leftOut,
    request_id: requestId,
  });
}

/** Returns the Problem changed_meanwhile, which says who changed it and when; undefined where If-Match holds. @throws Problem invalid_request */
async function changedMeanwhile<Row>(
  tx: Tx,
  kind: Authored<Row>,
  origin: Origin,
  row: Row,
): Promise<Problem | undefined> {
  const expected = tagsOf(origin.ifMatch);
  if (!expected) return undefined;
  const shape = kind.shape(row);
  const etag = tagOf(kind, shape);
  const halves = expected.map(authoredHalf);
  if (halves.includes(authoredHalf(etag))) return undefined;
  const headers = { etag };
  if (halves.every((half) => half === undefined))
    return new Problem(
      "changed_meanwhile",
      "If-Match has only weak ETags, which never match. A proxy that compresses made them weak: send the ETag without W/.",
      { headers },
    );
  const last = await lastEntry(tx, origin.scope, subject(kind, shape, "changed").resource);
  const who = last ? `${last.actor_name} changed it at ${last.at.toISOString()}` : "It was changed";
  return new Problem(
    "changed_meanwhile",
    `${who}, after you had read it. Read it again, and repeat the change if it is still right.`,
    {
      headers,
      extra: {
        changed_by: last ? { type: last.actor_type, id: last.actor_id, name: last.actor_name } : null,
        changed_at: last?.at.toISOString() ?? null,
      },
    },
  );
}

/** What is recorded of a resource: what was authored, and of its secrets only that they changed. */
function stateOf<Row>(kind: Authored<Row>, row: Row): object {
  const secrets = Object.entries(kind.secretsOf?.(row) ?? {}).filter(([, value]) => value !== null);
  const masked = Object.fromEntries(secrets.map(([name, value]) => [name, new Secret(value)]));
  const { authored } = parts(kind, kind.shape(row));
  const shown = Object.entries(authored).filter(([name]) => !name.endsWith("_changed_at"));
  return { ...Object.fromEntries(shown), ...masked };
}

function subject<Row>({ noun, named }: Authored<Row>, shape: object, done: string): Pick<Entry, "action" | "resource"> {
  const type = noun.toLowerCase().replaceAll(/[ -]/g, "_");
  const { id, name, url, ...rest } = shape as Record<string, string> & { id: string };
  const given = named === undefined ? (name ?? url) : rest[named];
  return { action: `${type}.${done}`, resource: { type, id, name: given ?? "" } };
}
