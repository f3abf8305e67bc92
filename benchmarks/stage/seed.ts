import { emailOf, personId } from "../load/ids.ts";
import { callApi, sendItems } from "./api.ts";
import type { Stage } from "./stage.ts";

/**
 * Identifies people with known numbers and addresses by the public API: 54 us each, so half a minute for the 500,000 of
 * `fanout`. The temporary table seeded_people has their numbers and keys for the SQL of a benchmark.
 */
export async function seedPeople(stage: Stage, people: number): Promise<void> {
  const { db, workspaceId } = stage;
  await identifyPeople(stage, people);
  await db.query("create temp table seeded_people (n integer primary key, person_key uuid not null)");
  const { rowCount } = await db.query(
    "insert into seeded_people select split_part(person_id, '-', 2)::int, person_key from people where workspace_id = $1",
    [workspaceId],
  );
  if (rowCount !== people) throw new Error(`${rowCount} people in the table of ${people} that were identified`);
  // The log starts empty, as the table of the floors does.
  await db.query("truncate activity");
  await db.query("analyze seeded_people");
  await db.query("vacuum analyze people");
}

/** Identifies people with known numbers and addresses, 100 in a request. */
export function identifyPeople(workspace: Pick<Stage, "service" | "secretKey">, people: number): Promise<void> {
  const attributes = { first_name: "Ada", plan: "pro", city: "London" };
  return sendItems(workspace, people, (n) => ({
    type: "identify",
    person_id: personId(n),
    attributes: { email: emailOf(n), ...attributes },
  }));
}

/**
 * Inserts `each` live in-app deliveries for the first `people`, as broadcasts leave them: message by message, so that the rows
 * of one person are on different pages of the table. Each row has its own rendered content, so that the floor's answer is as large
 * as the service's. Ids are plain numbers (load/ids.ts computes the same). It uses SQL, because a broadcast's worker would need too long
 * for a million rows. Returns the messages' ids as stored in the tables. @throws Error if a sync does not return a seeded delivery
 */
export async function seedDeliveries(stage: Stage, people: number, each: number): Promise<string[]> {
  const { db, workspaceId } = stage;
  const messages: string[] = [];
  for (let i = 0; i < each; i++) {
    await callApi(stage, "/api/v1/in-app-messages", definition(i));
    const { rows } = await db.query<{ id: string }>("select id from in_app_messages where name = $1", [nameOf(i)]);
    const messageId = rows[0]?.id ?? "";
    messages.push(messageId);
    await db.query(
      `insert into deliveries (person_key, id, workspace_id, channel, source, source_id, status, queued_at, content,
         message_id, message_version, live, priority)
       select person_key, ('00000000-0000-8000-8000-' || lpad(to_hex($3::int * $4::int + n), 12, '0'))::uuid, $1, 'in_app',
         'broadcast', $2, 'queued', now() - make_interval(mins => $3::int), $5::jsonb, $2, 1, true, $6
       from seeded_people where n < $4::int`,
      [workspaceId, messageId, i, people, JSON.stringify(content(i)), priorityOf(i)],
    );
  }
  await db.query("vacuum analyze deliveries");
  await db.query("checkpoint");
  const synced = await callApi<unknown[]>(
    stage,
    `/data-gateway/v1/in-app/messages/sync?person_id=${personId(people - 1)}&limit=1`,
  );
  if (synced.length !== 1) throw new Error("a sync does not return the seeded delivery");
  return messages;
}

/** Inserts ten deliveries for each person, in the order of time as a service writes them. */
export async function seedSent({ db, workspaceId }: Stage, people: number): Promise<void> {
  await db.query(
    `insert into deliveries (person_key, id, workspace_id, channel, source, source_id, status, queued_at, recipient, sent_at,
       complained_at, bounced_at)
     select person_key, gen_random_uuid(), $1, 'email', 'broadcast', md5((i % 40)::text)::uuid,
       case when i % 5000 = 0 then 'complained' when i % 200 = 1 then 'bounced' when i % 4 = 2 then 'sent' else 'delivered' end,
       t.at, 'person@example.com', t.at, case when i % 5000 = 0 then t.at end, case when i % 200 = 1 then t.at end
     from generate_series(1, $2::int * 10) as i
       join seeded_people on n = (i * 7919::bigint) % $2::int
       cross join lateral (select now() - ($2::int * 10 - i) * interval '5 seconds' as at) as t
     order by i`,
    [workspaceId, people],
  );
  await db.query("vacuum analyze deliveries");
  await db.query("checkpoint");
}

const nameOf = (i: number) => `Broadcast ${i}`;
const priorityOf = (i: number) => [10, 50, 75, 100][i % 4];

const content = (i: number) => ({
  title: `Ada, offer number ${i} is waiting`,
  body: `Hello Ada! Your pro plan brings you something new in London this week. It is the offer number ${i} of ten.`,
  image_url: `https://images.example.com/offers/${i}.png`,
});

/** Returns a definition with Liquid, so that each delivery has its own content; for all screens, persistent and without a cap. */
const definition = (i: number) => ({
  name: nameOf(i),
  render_type: "modal",
  title: `{{person.first_name}}, offer number ${i} is waiting`,
  body: `Hello {{person.first_name}}! Your {{person.plan}} plan brings you something new in {{person.city}} this week. It is the offer number ${i} of ten.`,
  image_url: `https://images.example.com/offers/${i}.png`,
  cta: { label: "Open", action: "deep_link", value: `app://offers/${i}` },
  priority: priorityOf(i),
  expiry: null,
  screens: { include: [], exclude: [] },
  quiet_hours: null,
  persistence: { mode: "persistent_until_dismissed", max_impressions: null, min_interval: null },
});
