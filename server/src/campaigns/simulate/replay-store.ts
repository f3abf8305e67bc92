import { attributeText } from "../../audiences/index.ts";
import { type Queries, rowsOfEach, sql, unquoted } from "../../platform/db/index.ts";

/** People who could have entered a campaign: how many, and the first of them by key. Keys are hashes, so these are a sample. */
export interface Candidates {
  total: number;
  keys: string[];
}

/** Returns the people who did an event of this name since an instant. */
export async function peopleWho(
  q: Queries,
  { workspaceId, name, from, limit }: { workspaceId: string; name: string; from: Date; limit: number },
): Promise<Candidates> {
  const rows = await q.query<{ person_key: string; total: number }>(sql`
    with people as materialized (
      select distinct person_key from events where workspace_id = ${workspaceId} and name = ${name} and ts >= ${from})
    select person_key, (select count(*)::integer from people) as total from people order by person_key limit ${limit}`);
  return { total: rows[0]?.total ?? 0, keys: rows.map((row) => row.person_key) };
}

/** Returns the people whose attribute begins with one of these dates, which may have no year (05-17), and who existed before an instant. */
export async function peopleWithDateIn(
  q: Queries,
  asked: { workspaceId: string; attribute: string; dates: string[]; before: Date; limit: number },
): Promise<Candidates> {
  const { workspaceId, attribute, dates, before, limit } = asked;
  const value = attributeText(attribute);
  const rows = await q.query<{ person_key: string; total: number }>(sql`
    with people as materialized (
      select p.person_key from people p where p.workspace_id = ${workspaceId} and p.created_at <= ${before}
        and ${dates[0]?.length === 5 ? sql`substr(${value}, 6, 5)` : sql`left(${value}, 10)`} = any(${dates}::text[]))
    select person_key, (select count(*)::integer from people) as total from people order by person_key limit ${limit}`);
  return { total: rows[0]?.total ?? 0, keys: rows.map((row) => row.person_key) };
}

/** An event as it was recorded. */
export interface ReplayedEvent {
  person_key: string;
  name: string;
  properties: Record<string, unknown>;
  ts: Date;
  received_at: Date;
}

/** Returns the events of these names that these people did since an instant, at most `limit` of each person, the earliest first. */
export const eventsOfPeople = (
  q: Queries,
  keys: string[],
  { names, from, limit }: { names: string[]; from: Date; limit: number },
): Promise<ReplayedEvent[]> =>
  q.query(sql`
    select person_key, name, properties, ts, received_at from (${rowsOfEach(q, {
      from: "events",
      key: "person_key",
      values: sql`${unquoted(keys)}::uuid[]`,
      columns: sql`t.id, t.name, t.properties, t.ts, t.received_at`,
      where: sql`t.name = any(${names}::text[]) and t.ts >= ${from}`,
      order: sql`t.ts, t.id`,
      limit,
    })}) e
    order by ts, id`);
