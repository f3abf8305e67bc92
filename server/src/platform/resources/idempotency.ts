import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Db, type Queries, sql, type Tx } from "../db/index.ts";
import { Problem } from "../http/index.ts";
import { newId } from "../ids.ts";
import type { Seal } from "../seal.ts";

/** A request that carries an Idempotency-Key. `scope` is the tenant: keys of two tenants never meet. */
export interface Keyed {
  scope: string;
  route: string;
  key: string;
  bodyHash: Buffer;
  /** How long the answer is kept; 24 hours where absent. */
  lifeMs?: number;
}

const DAY_MS = 24 * 3_600_000;
const MOST_DAYS = 30;

export interface Answer {
  status: number;
  body: unknown;
}

/**
 * The Idempotency-Key of a request, or undefined. Idempotency-TTL beside it, in seconds, asks for a longer life.
 * @throws Problem invalid_request for an empty or overlong key, and a life under 24 hours or over 30 days
 */
export function keyOf(request: FastifyRequest, scope: string): Keyed | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key !== "string" || key.length < 1 || key.length > 255) {
    throw new Problem("invalid_request", "Idempotency-Key must have 1 to 255 characters.", {
      errors: [{ parameter: "Idempotency-Key", message: "must have 1 to 255 characters" }],
    });
  }
  const bodyHash = bodyHashOf(request);
  const path = request.url.split("?", 1)[0] as string;
  return { scope, route: `${request.method} ${path}`, key, bodyHash, ...lifeOf(request.headers["idempotency-ttl"]) };
}

/** Returns the hash that tells two bodies apart: of the parsed JSON, or of the bytes of a large body, which would take 90 ms to serialise. */
export const bodyHashOf = ({ body, largeBody }: FastifyRequest): Buffer =>
  largeBody ??
  createHash("sha256")
    .update(JSON.stringify(body ?? null))
    .digest();

function lifeOf(text: string | string[] | undefined): { lifeMs?: number } {
  if (text === undefined) return {};
  const life = typeof text === "string" && /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Number.NaN;
  if (life >= DAY_MS && life <= MOST_DAYS * DAY_MS) return { lifeMs: life };
  const message = `must be whole seconds from ${DAY_MS / 1_000} (24 hours) to ${(MOST_DAYS * DAY_MS) / 1_000} (${MOST_DAYS} days)`;
  throw new Problem("invalid_request", `Idempotency-TTL ${message}.`, {
    errors: [{ parameter: "Idempotency-TTL", message }],
  });
}

/**
 * Claims the keys inside the transaction that they protect. Returns for each key the earlier answer, or undefined if the work
 * is to be done now. It waits for a claim of another open transaction.
 */
export async function claim(tx: Queries, keyed: Keyed[], now: Date): Promise<(Answer | Problem | undefined)[]> {
  const columns = [
    keyed.map((k) => k.scope),
    keyed.map((k) => k.route),
    keyed.map((k) => k.key),
    keyed.map((k) => k.bodyHash),
    keyed.map((k) => new Date(now.getTime() + (k.lifeMs ?? DAY_MS))),
  ];
  const fresh = await tx.query<{ workspace_id: string; route: string; key: string }>(sql`
    insert into idempotency_keys as old (workspace_id, route, key, body_hash, created_at, expires_at)
    select scope, route, key, body_hash, ${now}, expires_at
    from unnest(${columns[0]}::uuid[], ${columns[1]}::text[], ${columns[2]}::text[], ${columns[3]}::bytea[],
      ${columns[4]}::timestamptz[]) as t (scope, route, key, body_hash, expires_at)
    on conflict (workspace_id, route, key) do update
      set body_hash = excluded.body_hash, status = null, answer = null, created_at = excluded.created_at, expires_at = excluded.expires_at
      where old.expires_at <= ${now}
    returning workspace_id, route, key`);
  const ours = new Set(fresh.map((row) => identity(row.workspace_id, row.route, row.key)));
  return Promise.all(keyed.map((k) => (ours.has(identity(k.scope, k.route, k.key)) ? undefined : before(tx, k))));
}

/** Stores the answers, in the same transaction as the work. */
export async function keep(tx: Queries, answered: { keyed: Keyed; answer: Answer }[]): Promise<void> {
  if (answered.length === 0) return;
  await tx.execute(sql`
    update idempotency_keys as k set status = t.status, answer = t.answer
    from unnest(${answered.map((a) => a.keyed.scope)}::uuid[], ${answered.map((a) => a.keyed.route)}::text[],
      ${answered.map((a) => a.keyed.key)}::text[], ${answered.map((a) => a.answer.status)}::smallint[],
      ${answered.map((a) => JSON.stringify(a.answer.body))}::jsonb[]) as t (scope, route, key, status, answer)
    where k.workspace_id = t.scope and k.route = t.route and k.key = t.key`);
}

const identity = (scope: string, route: string, key: string): string => `${scope} ${route} ${key}`;

async function before(tx: Queries, keyed: Keyed): Promise<Answer | Problem> {
  const [row] = await tx.query<{ body_hash: Buffer; status: number | null; answer: unknown }>(sql`
    select body_hash, status, answer from idempotency_keys
    where workspace_id = ${keyed.scope} and route = ${keyed.route} and key = ${keyed.key}`);
  if (!row || row.status === null) return inProgress();
  if (!row.body_hash.equals(keyed.bodyHash)) return reused();
  return { status: row.status, body: row.answer };
}

/** Returns the earlier answer without claiming the key: for a repeat whose work can't be done again. */
export async function earlier(q: Queries, keyed: Keyed, now: Date): Promise<Answer | Problem | undefined> {
  const kept = await q.query(sql`
    select from idempotency_keys
    where workspace_id = ${keyed.scope} and route = ${keyed.route} and key = ${keyed.key} and expires_at > ${now}`);
  return kept.length === 0 ? undefined : before(q, keyed);
}

/**
 * Returns a name that a request and its repeats share, for clients that send no Idempotency-Key and only mark a repeat. A request
 * without the mark gets a fresh name, so that two equal ones both count; a marked one gets the name of the last equal request within
 * `lifeMs`. The name is used like an Idempotency-Key or an event_id.
 */
export async function nameOfRepeats(
  db: Queries,
  keyed: Keyed,
  options: { repeat: boolean; lifeMs: number; now: Date },
): Promise<string> {
  const { repeat, lifeMs, now } = options;
  const [row] = await db.query<{ answer: string }>(sql`
    insert into idempotency_keys as old (workspace_id, route, key, body_hash, answer, created_at, expires_at)
    values (${keyed.scope}, ${keyed.route}, ${keyed.key}, ${keyed.bodyHash}, to_jsonb(${newId()}::text), ${now}, ${new Date(now.getTime() + lifeMs)})
    on conflict (workspace_id, route, key) do update set
      answer = case when ${repeat} and old.expires_at > ${now} then old.answer else excluded.answer end,
      expires_at = case when ${repeat} and old.expires_at > ${now} then old.expires_at else excluded.expires_at end
    returning answer`);
  return (row as { answer: string }).answer;
}

/** The problem for a repeat that arrives before the first request has its answer. */
export const inProgress = (): Problem =>
  new Problem(
    "idempotency_in_progress",
    "The first request with this Idempotency-Key is still under way. Repeat it after a second.",
    {
      headers: { "retry-after": "1" },
    },
  );

export const reused = (): Problem =>
  new Problem(
    "idempotency_key_reused",
    "This Idempotency-Key was used with another body. Use a new key for a new request.",
  );

/** Sends an earlier answer again, marked as replayed. */
export function replay(reply: FastifyReply, answer: Answer): unknown {
  return reply.code(answer.status).header("idempotent-replayed", "true").send(answer.body);
}

/**
 * A creating POST: `work` runs in one transaction, together with the caller's Idempotency-Key where there is one, and its
 * result becomes the body of the answer. Without a key it is just the transaction. `seal` is for answers that show a
 * secret once: the copy for the replay is sealed. `tagOf` makes the ETag of an answer, also of one that is given again. Returns the reply
 * itself, for the handler to return.
 */
export async function creating<T>(
  db: Db,
  call: {
    request: FastifyRequest;
    reply: FastifyReply;
    scope: string;
    now: Date;
    status?: number;
    seal?: Seal;
    tagOf?: (body: object) => string;
  },
  work: (tx: Tx) => Promise<T>,
): Promise<never> {
  const { request, reply, scope, now, status = 201, seal, tagOf } = call;
  const keyed = keyOf(request, scope);
  const tagged = <B>(body: B): B => {
    if (tagOf) reply.header("etag", tagOf(body as object));
    return body;
  };
  if (!keyed) return reply.code(status).send(tagged(await db.transaction(work))) as never;
  const { answer, replayed } = await db.transaction(async (tx) => {
    const [earlier] = await claim(tx, [keyed], now);
    if (earlier instanceof Problem) throw earlier;
    if (earlier) return { answer: { ...earlier, body: unsealed(earlier.body, seal, keyed) }, replayed: true };
    const fresh = { status, body: await work(tx) };
    const kept = seal ? { sealed: seal.seal(JSON.stringify(fresh.body), keyed.key) } : fresh.body;
    await keep(tx, [{ keyed, answer: { status, body: kept } }]);
    return { answer: fresh, replayed: false };
  });
  tagged(answer.body);
  return (replayed ? replay(reply, answer) : reply.code(answer.status).send(answer.body)) as never;
}

const unsealed = (body: unknown, seal: Seal | undefined, keyed: Keyed): unknown =>
  seal ? JSON.parse(seal.open((body as { sealed: string }).sealed, keyed.key)) : body;

/** Writes null for these values of a field, in all answers that are kept of a route: they name somebody who is erased. */
export const forgetInAnswers = (
  tx: Queries,
  { scope, route, field }: { scope: string; route: string; field: string },
  values: string[],
): Promise<number> =>
  tx.execute(sql`
    update idempotency_keys set answer = jsonb_set(answer, array[${field}::text], 'null')
    where workspace_id = ${scope} and route = ${route} and answer ->> ${field} = any(${values}::text[])`);

/** Deletes expired keys, in batches that hold no lock for long. Returns how many were deleted. */
export async function forgetExpired(db: Db, now: Date): Promise<number> {
  for (let total = 0; ; ) {
    const gone = await db.execute(sql`
      delete from idempotency_keys where (workspace_id, route, key) in (
        select workspace_id, route, key from idempotency_keys where expires_at <= ${now} order by expires_at limit 1000)`);
    total += gone;
    if (gone < 1_000) return total;
  }
}
