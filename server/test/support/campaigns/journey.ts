import pg from "pg";
import { expect } from "vitest";
import type { Running } from "../tidings.ts";
import { until } from "../wait.ts";

// A journey of many people for tests in which processes and databases die. What each person must have passed and got at its end follows from
// their attribute and their events alone.

interface Person {
  id: string;
  pays: boolean;
  half: number;
}

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

const steps = (hello: string, remind: string) => [
  { id: "hello", type: "message", channel: "in_app", message_id: hello },
  {
    id: "pay",
    type: "wait_until",
    event: "paid",
    timeout: { amount: 1, unit: "hours" },
    counts_from: "entry",
    then: [{ id: "thanks", type: "update", attributes: { paid: true } }],
    else: [{ id: "remind", type: "message", channel: "in_app", message_id: remind }],
  },
  {
    id: "half",
    type: "branch",
    if: { attribute: "half", op: "eq", value: 1 },
    then: [{ id: "text", type: "message", channel: "sms", content: { body: "Hi" } }],
  },
];

/** Where the journey happens: any of the services takes its calls. */
interface Place {
  databaseUrl: string;
  secretKey: string;
  api: Pick<Running, "address">;
}

/** Identifies so many people and activates their campaign. Nobody has entered yet. */
export async function startJourney(place: Place, count: number) {
  const people = Array.from(
    { length: count },
    (_, i): Person => ({ id: `p${String(i).padStart(4, "0")}`, pays: i % 3 === 0, half: i % 2 }),
  );
  const paying = people.filter(({ pays }) => pays);
  const database = databaseOf(place);
  const batch = batches(place);
  await batch(
    people.map(({ id, half }) => ({ type: "identify", person_id: id, attributes: { half, phone: "+41790000000" } })),
  );
  await activate(place);
  return {
    people,
    paying,
    ...database,
    batch,
    /** All people do the event with which they enter. */
    join: (some = people, at = place.api) => batch(track("joined", some), at),
    pay: (some: Person[], at = place.api) => batch(track("paid", some), at),
    passed: () => database.countOf("from campaign_passages"),
    /** Records all events once more: as a client does that was answered 503, or not at all. */
    repeatEvents: (at = place.api) =>
      until(
        () =>
          batch([...track("joined", people), ...track("paid", paying)], at).then(
            () => true,
            () => false,
          ),
        "the events",
      ),
    /** Lets an hour pass for those who don't pay, and waits until all runs have ended. */
    end: () => letAnHourPass(database, people.length - paying.length),
    /** Counts what became of everybody: no step may be lost, and none may have happened twice. */
    async check(): Promise<void> {
      const rows = await database.query<{ steps: string[] }>(PASSED);
      expect(rows.map((row) => ({ ...row, steps: row.steps.sort() }))).toEqual(people.map(expected));
      expect(await database.countOf("from campaign_runs where attempts > 0")).toBe(0);
    },
  };
}

/** Each person with their run, what it passed, and the channels of their messages. */
const PASSED = `
  select p.person_id as id, r.status, p.attributes ->> 'paid' as paid,
    (select array_agg(concat_ws(' ', s.step_id, s.state, s.way, s.reason) order by s.step_id) from campaign_passages s
      where s.person_key = r.person_key and s.run_id = r.id) as steps,
    (select array_agg(d.channel order by d.channel) from deliveries d where d.person_key = p.person_key) as messages
  from campaign_runs r join people p using (person_key) order by p.person_id`;

const track = (eventName: string, of: Person[]) =>
  of.map(({ id }) => ({ type: "track", person_id: id, eventName, event_id: `${eventName} ${id}` }));

function databaseOf({ databaseUrl }: Place) {
  /** Runs a statement on a connection of its own, as the database may have been away since the last one. */
  async function query<R extends pg.QueryResultRow>(text: string): Promise<R[]> {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query<R>(text)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }
  return {
    query,
    countOf: async (text: string) => (await query<{ n: number }>(`select count(*)::int as n ${text}`))[0]?.n ?? 0,
  };
}

async function call({ secretKey, api }: Place, path: string, body: unknown): Promise<Record<string, never>> {
  const answer = await fetch(api.address + path, {
    method: "POST",
    headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const json = (await answer.json()) as Record<string, never>;
  expect(answer.ok, JSON.stringify(json)).toBe(true);
  return json;
}

const batches =
  (place: Place) =>
  async (items: object[], at = place.api): Promise<void> => {
    for (let from = 0; from < items.length; from += 500)
      await call({ ...place, api: at }, "/data-gateway/v1/batch", { items: items.slice(from, from + 500) });
  };

async function activate(place: Place): Promise<void> {
  const message = { name: "Journey", render_type: "modal", body: "Hello {{person.half}}" };
  const define = () => call(place, "/api/v1/in-app-messages", message);
  const [hello, remind] = [await define(), await define()];
  const { id } = await call(place, "/api/v1/campaigns", {
    name: "Journey",
    trigger: { type: "event", name: "joined" },
    steps: steps(String(hello.id), String(remind.id)),
  });
  await call(place, `/api/v1/campaigns/${id}/activate`, {});
}

async function letAnHourPass({ query, countOf }: ReturnType<typeof databaseOf>, waiting: number): Promise<void> {
  // Those who have paid stand at the step too until their run goes on. A worker may write it at the same moment: it must not be due again.
  const stillWaits = "step_id = 'pay' and due_at > now() + interval '10 minutes'";
  const wait = `from campaign_runs where ${stillWaits}`;
  await until(async () => (await countOf(wait)) === waiting, "the people who don't pay in their wait");
  await query(
    `with waiting as materialized (
       select person_key, id, due_at as was, stepped_at - interval '1 hour' as stepped_at, due_at - interval '1 hour' as due_at
       from campaign_runs where ${stillWaits})
     update campaign_runs r set stepped_at = w.stepped_at, due_at = w.due_at from waiting w
     where r.person_key = w.person_key and r.id = w.id and r.due_at = w.was`,
  );
  await until(async () => (await countOf("from campaign_runs where ended_at is null")) === 0, "the end of all runs");
}
