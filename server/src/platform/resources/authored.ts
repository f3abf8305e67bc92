import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { raw, type Sql, sql, type Tx } from "../db/index.ts";
import { matches } from "../http/index.ts";

/** Part of a route's schema: the route answers with an ETag or takes If-Match. openapi.ts adds the headers and 412. */
export const TAGGED = { "x-tagged": true } as const;
export const UNCHANGED = Type.Null({ description: "Nothing changed since If-None-Match." });

/** A kind of resource that people author. Its changes are guarded by If-Match and recorded, see changes.ts. */
export interface Authored<Row> {
  /** As an error names it: "There is no such in-app message". The log's type is made of it: `in_app_message`. */
  noun: string;
  /** Reads one and locks it until the transaction ends. It is the first lock that a change of one takes. */
  locked(tx: Tx, scope: string, id: string): Promise<Row | undefined>;
  /** As the API shows it. */
  shape(row: Row): object;
  /** Fields of the shape that change without an author, such as progress, or that follow from other fields. */
  derived?: readonly string[];
  /**
   * What is authored and secret, so that the shape leaves it out. The shape has `<secret>_changed_at` instead: it counts in the tag, and the log
   * of changes leaves it out, because it names the secret.
   */
  secretsOf?(row: Row): Record<string, unknown>;
  /** The field of the shape that names it in the log; by default `name`, or `url`. */
  named?: string;
}

/**
 * Sets the column of a secret, and its `_changed_at` where the sealed value is another one.
 * @param column as the table names it
 */
export const newSecret = (column: string, sealed: string | null, now: Date): Sql => {
  const [name, changedAt] = [raw(column), raw(`${column}_changed_at`)];
  return sql`${name} = ${sealed}, ${changedAt} = case when ${name} is distinct from ${sealed} then ${now} else ${changedAt} end`;
};

/** An id never changes, a version comes with other content, and a change of nothing is no change. */
const ALWAYS_DERIVED = ["id", "version", "created_at", "updated_at"];

/** Returns the authored fields of a resource as the API shows it, and the others. */
export function parts({ derived = [] }: Pick<Authored<never>, "derived">, shape: object) {
  const others = new Set([...ALWAYS_DERIVED, ...derived]);
  const [authored, rest]: [string, unknown][][] = [[], []];
  for (const entry of Object.entries(shape)) (others.has(entry[0]) ? rest : authored)?.push(entry);
  return { authored: Object.fromEntries(authored ?? []), rest: Object.fromEntries(rest ?? []) };
}

/**
 * The ETag of a resource: `"authored.rest"`. If-Match compares only the first half, so that progress never stands in the way of a change;
 * If-None-Match compares both, so that a 304 never hides progress.
 */
export function tagOf(kind: Pick<Authored<never>, "derived">, shape: object): string {
  const { authored, rest } = parts(kind, shape);
  return `"${digest(authored)}.${digest(rest)}"`;
}

/** Returns a resource as an element of a list shows it, with its tag: a page that shows only the list names this version in If-Match. */
export function listed<Row, Shape extends object>(
  kind: Authored<Row>,
  row: Row,
  shape: Shape,
): Shape & { etag: string } {
  return { ...shape, etag: tagOf(kind, kind.shape(row)) };
}

/** Returns the half of a tag that stands for what was authored; undefined for a weak tag, which RFC 9110 excludes from If-Match. */
export const authoredHalf = (tag: string): string | undefined => /^"([^."]*)/.exec(tag)?.[1];

/** 96 bits: two states of one resource never share them by chance. */
const digest = (value: unknown): string => hash("sha256", JSON.stringify(value, sorted), "base64url").slice(0, 16);

/** PostgreSQL gives the keys of JSON in an order of its own. */
const sorted = (_name: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Returns the resource in the shape of the API, for the answer to a request that has read or changed it, and sets its ETag. */
export function answered<Row>(reply: FastifyReply, kind: Authored<Row>, row: Row): never {
  const shape = kind.shape(row);
  reply.header("etag", tagOf(kind, shape));
  // The route's schema decides what is sent of it.
  return shape as never;
}

/** As `answered`, for a GET: 304 without a body if the client has the resource as it is. */
export function shown<Row>(request: FastifyRequest, reply: FastifyReply, kind: Authored<Row>, row: Row): never {
  const shape = answered(reply, kind, row);
  if (!matches(request.headers["if-none-match"], reply.getHeader("etag") as string)) return shape;
  return reply.code(304).send() as never;
}
