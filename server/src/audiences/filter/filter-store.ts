import type {
  Comparison,
  Count,
  EventFilter,
  Filter,
  MessageFilter,
  SubscribedFilter,
} from "@tidings/contract/audience/audiences";
import { empty, join, sql, type Sql } from "../../platform/db/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { audienceOf, type FilterContext, within, withOperand } from "./context.ts";
import { SOURCES } from "./filter.ts";
import { before, dayFrom, instantOf } from "./instant.ts";

// A filter becomes one SQL condition over `people p`. Every text is a parameter. Each condition is about one person and joins other
// tables by person_key only, so it can run shard by shard. It is true or false and never null, so that `not` is the opposite.

/**
 * How the statement uses the condition. `everyone`: each table is read once, by the workspace's indexes, and hashed. `one by one`: the
 * statement is about a page or one person, and each person's rows are read by primary key.
 */
export type Manner = "everyone" | "one by one";

interface SqlContext extends FilterContext {
  manner: Manner;
}

/** Returns the condition for `where`. `context` is the result of loadFilterContext for this filter. */
export function conditionOf(filter: Filter, context: FilterContext, manner: Manner): Sql {
  return compile(filter, { ...context, manner });
}

function compile(filter: Filter, context: SqlContext): Sql {
  if ("all" in filter) return together(filter.all, " and ", context);
  if ("any" in filter) return together(filter.any, " or ", context);
  if ("not" in filter) return sql`not ${compile(filter.not, context)}`;
  if ("attribute" in filter)
    return compared(attribute(filter.attribute), withOperand(filter.attribute, filter), context.now);
  if ("event" in filter) return performed(filter, context);
  if ("subscribed" in filter) return subscribed(filter, context);
  if ("message" in filter) return behaved(filter, context);
  const known = audienceOf(context.audiences, filter.audience);
  if (!known) return sql`false`;
  return known.filter ? compile(known.filter, context) : onList(known.id);
}

/** Whether a person is on a list. */
const onList = (id: string): Sql =>
  sql`exists (select 1 from audience_members m where m.person_key = p.person_key and m.audience_id = ${id}::uuid)`;

const together = (filters: Filter[], word: " and " | " or ", context: SqlContext): Sql =>
  filters.length === 0
    ? sql`true`
    : sql`(${join(
        filters.map((one) => compile(one, context)),
        word,
      )})`;

/** A value as JSON, null if it is missing, and the value as text. */
interface Value {
  json: Sql;
  text: Sql;
}

/** The attributes that are columns (see people/profile/attributes.ts), as JSON. */
const COLUMNS: Record<string, Sql> = {
  person_id: sql`to_jsonb(p.person_id)`,
  email: sql`to_jsonb(p.email)`,
  phone: sql`to_jsonb(p.phone)`,
  timezone: sql`to_jsonb(p.timezone)`,
  locale: sql`to_jsonb(p.locale)`,
  subscribed: sql`to_jsonb(p.subscribed)`,
  created_at: sql`to_jsonb(to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
};

/** Returns an attribute of `people p` as text, null if it is missing: for statements of other slices. */
export const attributeText = (name: string): Sql => attribute(name).text;

/** Whether an attribute of `people p` is a time between two instants. */
export const attributeBetween = (name: string, between: { from: Date; until: Date }): Sql =>
  timed(attribute(name).text, between);

function attribute(name: string): Value {
  const column = Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined;
  return column ? { json: column, text: sql`(${column} #>> '{}')` } : valueAt(sql`p.attributes`, name);
}

/** Returns the value with this name. If there is none, the name is read as a path with dots. Null counts as missing. */
function valueAt(object: Sql, name: string): Value {
  const whole = sql`${object} -> ${name}::text`;
  if (!name.includes("."))
    return { json: sql`nullif(${whole}, 'null'::jsonb)`, text: sql`(${object} ->> ${name}::text)` };
  const path = join(
    name.split(".").map((part) => sql`${part}::text`),
    " -> ",
  );
  const either = sql`coalesce(${whole}, ${object} -> ${path})`;
  return { json: sql`nullif(${either}, 'null'::jsonb)`, text: sql`(${either} #>> '{}')` };
}

const SIGNS = { eq: sql`=`, gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` };

function compared({ json: value, text }: Value, comparison: Comparison, now: Date): Sql {
  switch (comparison.op) {
    case "exists":
      return comparison.value === false ? sql`(${value}) is null` : sql`(${value}) is not null`;
    case "eq":
      return sql`coalesce(${value} = ${JSON.stringify(comparison.value)}::jsonb, false)`;
    case "ne":
      return sql`coalesce(${value} <> ${JSON.stringify(comparison.value)}::jsonb, true)`;
    case "in":
      return sql`coalesce(${value} = any(${comparison.value.map((one) => JSON.stringify(one))}::jsonb[]), false)`;
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return ordered(value, comparison.op, comparison.value);
    case "contains":
      return sql`coalesce(case jsonb_typeof(${value}) when 'string' then strpos(${value} #>> '{}', ${comparison.value}::text) > 0
        when 'array' then ${value} @> ${JSON.stringify(comparison.value)}::jsonb end, false)`;
    case "starts_with":
      return sql`coalesce(case jsonb_typeof(${value}) when 'string' then starts_with(${value} #>> '{}', ${comparison.value}::text) end, false)`;
    case "before":
      return timed(text, { until: instantOf(comparison.value) }, sql`<`);
    case "after":
      return timed(text, { from: instantOf(comparison.value) }, sql`>`);
    case "within_last":
      return timed(text, { from: before(now, comparison.value), until: now });
  }
}

/**
 * Whether a time is between two instants, or before or after one. The days are compared first, as text: only texts near the limits are
 * parsed as times, which costs ten times as much.
 */
function timed(text: Sql, { from, until }: { from?: Date | undefined; until?: Date | undefined }, sign?: Sql): Sql {
  // Operands for addresses are in lower case, so they are no longer times.
  if (!from && !until) return sql`false`;
  const near = [
    ...(from ? [sql`${text} collate "C" > ${dayFrom(from, -2)}::text`] : []),
    ...(until ? [sql`${text} collate "C" < ${dayFrom(until, 2)}::text`] : []),
  ];
  const holds = sign
    ? sql`${sign} ${until ?? from}::timestamptz`
    : sql`between ${from}::timestamptz and ${until}::timestamptz`;
  return sql`coalesce(case when ${join(near, " and ")} then instant_of(${text}) ${holds} end, false)`;
}

/** Compares numbers with numbers, and texts with texts by their bytes, because each database's collation orders them differently. */
function ordered(value: Sql, op: "gt" | "gte" | "lt" | "lte", operand: number | string): Sql {
  const holds =
    typeof operand === "number"
      ? sql`when 'number' then ${value} ${SIGNS[op]} ${JSON.stringify(operand)}::jsonb`
      : sql`when 'string' then (${value} #>> '{}') collate "C" ${SIGNS[op]} ${operand}::text`;
  return sql`coalesce(case jsonb_typeof(${value}) ${holds} end, false)`;
}

function performed(filter: EventFilter, context: SqlContext): Sql {
  const { now, manner, workspaceId } = context;
  const where = sql`e.name = ${filter.event}
    ${filter.within ? sql`and e.ts >= ${before(now, filter.within)}::timestamptz` : empty}
    ${join((filter.where ?? []).map((one) => sql`and ${compared(valueAt(sql`e.properties`, one.property), one, now)}`).concat(empty), " ")}`;
  const not = filter.op === "not_performed" ? sql`not ` : empty;
  // Without workspace_id PostgreSQL reads a person's events by primary key; with it, everyone's events by the index on names.
  const own = manner === "everyone" ? sql`e.workspace_id = ${workspaceId}::uuid and ${where}` : where;
  if (!filter.count) return sql`${not}exists (select 1 from events e where e.person_key = p.person_key and ${own})`;
  if (manner === "one by one")
    return sql`${not}${bounded(sql`(select count(*) from events e where e.person_key = p.person_key and ${own})`, filter.count)}`;
  // All people are counted at once. A person without events is in no group. So if zero is within the bounds, the statement looks for
  // the groups outside of the bounds and negates the result.
  const none = within(0, filter.count);
  const holds = bounded(sql`count(*)`, filter.count);
  return sql`${not}${none ? sql`not ` : empty}exists (select 1 from (
    select e.person_key from events e where ${own} group by e.person_key having ${none ? sql`not ` : empty}${holds}) c
    where c.person_key = p.person_key)`;
}

function bounded(count: Sql, bounds: Count): Sql {
  const each = Object.entries(bounds) as [keyof Count, number][];
  return sql`(${join(
    each.map(([bound, number]) => sql`${count} ${SIGNS[bound]} ${number}::bigint`),
    " and ",
  )})`;
}

/** Decides like subscriptions/preferences/receive.ts: by the overall state, then the channel's, then the topic's. */
function subscribed(filter: SubscribedFilter, { workspaceId }: SqlContext): Sql {
  const topic = filter.topic === undefined ? undefined : decodeId("top", filter.topic);
  const parts = [
    sql`p.subscribed`,
    ...(filter.channel ? [sql`coalesce((p.preferences ->> ${filter.channel}::text)::boolean, true)`] : []),
    ...(topic === undefined
      ? []
      : [
          sql`coalesce((p.preferences ->> ${filter.topic}::text)::boolean, (select t.default_state = 'subscribed'
            from topics t where t.workspace_id = ${workspaceId}::uuid and t.id = ${topic}::uuid), false)`,
        ]),
  ];
  return sql`${filter.subscribed ? empty : sql`not `}(${join(parts, " and ")})`;
}

/** The time at which a delivery did this, or null. An in-app delivery counts as sent when it is queued, and as delivered when shown. */
const BEHAVIOURS: Record<MessageFilter["message"], Sql> = {
  sent: sql`case when d.channel <> 'in_app' then d.sent_at when d.status <> 'failed' then d.queued_at end`,
  delivered: sql`coalesce(d.delivered_at, d.shown_at)`,
  shown: sql`d.shown_at`,
  opened: sql`d.opened_at`,
  clicked: sql`d.clicked_at`,
  dismissed: sql`d.dismissed_at`,
  bounced: sql`d.bounced_at`,
  complained: sql`d.complained_at`,
  unsubscribed: sql`d.unsubscribed_at`,
  failed: sql`case when d.status in ('failed', 'suppressed') then d.queued_at end`,
};

function behaved(filter: MessageFilter, { now, manner, workspaceId }: SqlContext): Sql {
  const at = BEHAVIOURS[filter.message];
  return sql`${filter.op === "not_performed" ? sql`not ` : empty}exists (
    select 1 from deliveries d where d.person_key = p.person_key
    ${manner === "everyone" ? sql`and d.workspace_id = ${workspaceId}::uuid` : empty}
    ${sourced(filter.source_id)} ${filter.channel ? sql`and d.channel = ${filter.channel}` : empty}
    and ${filter.within ? sql`(${at}) >= ${before(now, filter.within)}::timestamptz` : sql`(${at}) is not null`})`;
}

function sourced(id: string | undefined): Sql {
  const prefix = id?.slice(0, id.indexOf("_")) as keyof typeof SOURCES;
  const uuid = id === undefined ? undefined : decodeId(prefix, id);
  if (uuid === undefined) return empty;
  return prefix === "msg"
    ? sql`and d.message_id = ${uuid}::uuid`
    : sql`and d.source = ${SOURCES[prefix]} and d.source_id = ${uuid}::uuid`;
}
