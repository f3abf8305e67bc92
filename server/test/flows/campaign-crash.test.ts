import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { serve } from "../support/tidings.ts";
import { until } from "../support/wait.ts";

// Two workers take people through a campaign, are killed, and lose their connections. What each person must have passed and got at the
// end follows from their attribute and their events alone.

const PEOPLE = 1_500;
const databaseUrl = await testDatabase();
const secretKey = "tid_sec_campaign-crash-key";
const env = {
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  BOOTSTRAP_SECRET_KEY: secretKey,
  BOOTSTRAP_PUBLIC_KEY: "tid_pub_campaign-crash-key",
  LOG_FORMAT: "json",
};

interface Person {
  id: string;
  pays: boolean;
  half: number;
}
const people = Array.from(
  { length: PEOPLE },
  (_, i): Person => ({ id: `p${String(i).padStart(4, "0")}`, pays: i % 3 === 0, half: i % 2 }),
);

/** What a person passes, with the ways, and the channels of their messages. */
const expected = ({ id, pays, half }: Person) => ({
  id,
  status: "completed",
  steps: [
    "hello passed",
    `pay passed ${pays ? "then" : "else"}`,
    pays ? "thanks passed" : "remind passed",
    `half passed ${half === 1 ? "then" : "else"}`,
    ...(half === 1 ? ["text passed"] : []),
  ].sort(),
  messages: ["in_app", ...(pays ? [] : ["in_app"]), ...(half === 1 ? ["sms"] : [])],
  paid: pays ? "true" : null,
});

test("workers that are killed and lose their connections take everybody through each step once", async () => {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  const count = async (text: string) =>
    (await client.query<{ n: number }>(`select count(*)::int as n ${text}`)).rows[0]?.n ?? 0;

  const api = await serve({ ...env, ROLES: "api" });
  const call = async (path: string, body: unknown) => {
    const answer = await fetch(api.address + path, {
      method: "POST",
      headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const json = (await answer.json()) as Record<string, never>;
    expect(answer.ok, JSON.stringify(json)).toBe(true);
    return json;
  };
  const batch = async (items: object[]) => {
    for (let from = 0; from < items.length; from += 500)
      await call("/data-gateway/v1/batch", { items: items.slice(from, from + 500) });
  };
  const track = (eventName: string, of: Person[]) =>
    of.map(({ id }) => ({ type: "track", person_id: id, eventName, event_id: `${eventName} ${id}` }));
  const define = () =>
    call("/api/v1/in-app-messages", { name: "Crash", render_type: "modal", body: "Hello {{person.half}}" });

  await batch(
    people.map(({ id, half }) => ({ type: "identify", person_id: id, attributes: { half, phone: "+41790000000" } })),
  );
  const [hello, remind] = [await define(), await define()];
  const { id } = await call("/api/v1/campaigns", {
    name: "Crash",
    trigger: { type: "event", name: "joined" },
    steps: [
      { id: "hello", type: "message", channel: "in_app", message_id: hello.id },
      {
        id: "pay",
        type: "wait_until",
        event: "paid",
        timeout: { amount: 1, unit: "hours" },
        counts_from: "entry",
        // biome-ignore lint/suspicious/noThenProperty: the name on the wire
        then: [{ id: "thanks", type: "update", attributes: { paid: true } }],
        else: [{ id: "remind", type: "message", channel: "in_app", message_id: remind.id }],
      },
      {
        id: "half",
        type: "branch",
        if: { attribute: "half", op: "eq", value: 1 },
        // biome-ignore lint/suspicious/noThenProperty: the name on the wire
        then: [{ id: "text", type: "message", channel: "sms", content: { body: "Hi" } }],
      },
    ],
  });
  await call(`/api/v1/campaigns/${id}/activate`, {});
  await batch(track("joined", people));

  // The first two workers are killed. The next two lose their connections, and one of them is killed.
  const passed = () => count("from campaign_passages");
  const paying = people.filter(({ pays }) => pays);
  const two = () => Promise.all([serve({ ...env, ROLES: "worker" }), serve({ ...env, ROLES: "worker" })]);
  const first = await two();
  await batch(track("paid", paying.slice(0, 250)));
  await until(async () => (await passed()) > 0.1 * PEOPLE, "the first steps");
  for (const one of first) one.kill("SIGKILL");
  await Promise.all(first.map((one) => one.exit));
  const [worker, killed] = await two();
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await until(async () => (await passed()) > 0.8 * PEOPLE, "more steps");
  killed.kill("SIGKILL");
  // A client that was answered 503, or not at all, repeats its events.
  await until(
    () =>
      batch([...track("joined", people), ...track("paid", paying)]).then(
        () => true,
        () => false,
      ),
    "the events",
  );
  const waiting = PEOPLE - paying.length;
  await until(
    async () =>
      (await count("from campaign_runs where step_id = 'pay' and due_at > now() + interval '10 minutes'")) === waiting,
    "those who don't pay in the wait",
  );
  // An hour passes.
  await client.query(
    "update campaign_runs set stepped_at = stepped_at - interval '1 hour', due_at = due_at - interval '1 hour' where step_id = 'pay'",
  );
  await until(async () => (await count("from campaign_runs where ended_at is null")) === 0, "the end of all runs");
  worker.kill("SIGTERM");
  expect(await worker.exit).toBe(0);

  const { rows } = await client.query(
    `select p.person_id as id, r.status, p.attributes ->> 'paid' as paid,
       (select array_agg(concat_ws(' ', s.step_id, s.state, s.way, s.reason) order by s.step_id) from campaign_passages s where s.run_id = r.id) as steps,
       (select array_agg(d.channel order by d.channel) from deliveries d where d.person_key = p.person_key) as messages
     from campaign_runs r join people p using (person_key) order by p.person_id`,
  );
  expect(rows.map((row) => ({ ...row, steps: row.steps.sort() }))).toEqual(people.map(expected));
  expect(await count("from campaign_runs where attempts > 0")).toBe(0);
  api.kill("SIGTERM");
  expect(await api.exit).toBe(0);
}, 240_000);
