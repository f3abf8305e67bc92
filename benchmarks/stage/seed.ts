import type pg from "pg";
import { personKey } from "../../server/src/workspaces/index.ts";
import { emailOf, personId } from "../load/requests.ts";

export interface Seeded {
  workspaceId: string;
  people: number;
}

/** People with known numbers and addresses, straight into the table. */
export async function seedPeople(db: pg.Client, { workspaceId, people }: Seeded): Promise<void> {
  await db.query("create temp table seeded_people (n integer primary key, person_key uuid not null)");
  for (let from = 0; from < people; from += 20_000) {
    const numbers = Array.from({ length: Math.min(20_000, people - from) }, (_, i) => from + i);
    const keys = numbers.map((n) => personKey(workspaceId, personId(n)));
    await db.query("insert into seeded_people select * from unnest($1::int[], $2::uuid[])", [numbers, keys]);
    await db.query(
      `insert into people (person_key, workspace_id, person_id, email, attributes, identified_at, created_at, updated_at)
       select key, $1, id, email, '{"first_name": "Ada", "plan": "pro", "city": "London"}', now(), now(), now()
       from unnest($2::uuid[], $3::text[], $4::text[]) as t (key, id, email)`,
      [workspaceId, keys, numbers.map(personId), numbers.map(emailOf)],
    );
  }
  await db.query("vacuum analyze people");
}

/**
 * `each` live in-app deliveries for every seeded person, as broadcasts leave them: message by message, so that the rows of
 * one person lie on different pages. Each row carries its own rendered content, so that the floor's answer holds as much
 * as ours. Ids are plain numbers (requests.ts makes the same).
 */
export async function seedDeliveries(db: pg.Client, seeded: Seeded & { each: number }): Promise<void> {
  const { workspaceId, people, each } = seeded;
  for (let i = 0; i < each; i++) {
    const messageId = `00000000-0000-7000-8000-${String(i).padStart(12, "0")}`;
    await db.query(
      `insert into in_app_messages (workspace_id, id, version, name, created_at, updated_at) values ($1, $2, 1, $3, now(), now())`,
      [workspaceId, messageId, `Broadcast ${i}`],
    );
    await db.query(
      `insert into in_app_message_versions (workspace_id, id, version, definition, created_at) values ($1, $2, 1, $3, now())`,
      [workspaceId, messageId, JSON.stringify(definition(i))],
    );
    await db.query(
      `insert into deliveries (person_key, id, workspace_id, channel, source, source_id, status, queued_at, content,
         message_id, message_version, live, priority)
       select person_key, ('00000000-0000-8000-8000-' || lpad(to_hex($3::int * $4::int + n), 12, '0'))::uuid, $1, 'in_app',
         'broadcast', $2, 'queued', now() - make_interval(mins => $3::int), $5::jsonb, $2, 1, true, $6
       from seeded_people`,
      [workspaceId, messageId, i, people, JSON.stringify(content(i)), PRIORITIES[i % PRIORITIES.length]],
    );
  }
  await db.query("vacuum analyze deliveries");
  await db.query("checkpoint");
}

const PRIORITIES = [10, 50, 75, 100];

const content = (i: number) => ({
  title: `Ada, offer number ${i} is waiting`,
  body: `Hello Ada! Your pro plan brings you something new in London this week. It is the offer number ${i} of ten.`,
  image_url: `https://images.example.com/offers/${i}.png`,
});

/** A definition with Liquid, so that its content stands on each delivery; for all screens, persistent and without a cap. */
const definition = (i: number) => ({
  name: `Broadcast ${i}`,
  render_type: "modal",
  title: `{{person.first_name}}, offer number ${i} is waiting`,
  body: `Hello {{person.first_name}}! Your {{person.plan}} plan brings you something new in {{person.city}} this week. It is the offer number ${i} of ten.`,
  image_url: `https://images.example.com/offers/${i}.png`,
  cta: { label: "Open", action: "deep_link", value: `app://offers/${i}` },
  priority: PRIORITIES[i % PRIORITIES.length],
  expiry: null,
  screens: { include: [], exclude: [] },
  quiet_hours: null,
  persistence: { mode: "persistent_until_dismissed", max_impressions: null, min_interval: null },
});
