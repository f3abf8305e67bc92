import { setTimeout as sleep } from "node:timers/promises";
import { type LoadResult, startLoad } from "../load/load.ts";
import { reached, table, type TargetResult } from "../report/report.ts";
import { callApi } from "../stage/api.ts";
import { seedDeliveries, seedPeople } from "../stage/seed.ts";
import { onStage, type StageOptions } from "../stage/stage.ts";

// One workspace repeats the most expensive accepted requests, and another syncs. The floor is the same syncs alone, right before.

const MIB = 1024 * 1024;
/** Loops of one workspace: as many as its share of previews and exports. */
const LOOPS = 2;
const EMAIL = "/data-gateway/transactionals/email";
const PREVIEW = "/api/v1/audiences/preview";

/** A repeated request. Without a body it is a GET. */
interface Attack {
  name: string;
  path: string;
  body?: string;
}

/** Measures the p99 of one workspace's syncs while another repeats heavy requests. */
export async function beside(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 100 : 10_000;
  const seconds = smoke ? 0.3 : 5;
  return onStage({ ...options, roles: "api" }, async (stage) => {
    const { publicKey: key, service } = stage;
    await seedPeople(stage, people);
    await seedDeliveries(stage, people, 3);
    const attacker = { service, secretKey: (await stage.another()).secretKey };
    const attacks = await attacksOf(attacker, smoke ? 0.1 : 1);
    const load = await startLoad();
    try {
      const syncs = (forSeconds: number) =>
        load.run({
          port: service.port,
          connections: 8,
          perSecond: 200,
          expect: 200,
          requests: { kind: "sync", key, people },
          seconds: forSeconds,
          seed: 42,
        });
      console.log(`GET .../sync?limit=3, 200 a second, ${people} people; each attack in ${LOOPS} loops\n`);
      await syncs(seconds);
      const rows: string[][] = [];
      const found: TargetResult[] = [];
      for (const attack of attacks) {
        const alone = await syncs(seconds);
        const attacking = repeat(attacker, attack);
        let hit: LoadResult;
        try {
          await attacking.first;
          hit = await syncs(seconds);
        } finally {
          await attacking.end();
        }
        rows.push([
          attack.name,
          alone.p99.toFixed(1),
          hit.p50.toFixed(1),
          hit.p99.toFixed(1),
          [...attacking.answers].map(([status, count]) => `${count} x ${status}`).join(", "),
        ]);
        found.push(reached(`sync p99 beside ${attack.name}`, hit.p99, ["<", 100], "ms"));
      }
      table(["", "alone p99 ms", "beside p50 ms", "beside p99 ms", "answers to the attack"], rows);
      return found;
    } finally {
      await load.stop();
    }
  });
}

type Attacker = Parameters<typeof callApi>[0];

/** Repeats a request over several connections. @throws Error from `end` if an answer is a server error */
function repeat({ service, secretKey }: Attacker, { path, body }: Attack) {
  const answers = new Map<number, number>();
  const first = Promise.withResolvers<void>();
  let ended = false;
  async function loop(): Promise<void> {
    while (!ended) {
      const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
        ...(body !== undefined && { body }),
      });
      for await (const _ of answer.body ?? []);
      answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
      first.resolve();
      if (answer.status >= 500) throw new Error(`${path} answered ${answer.status}`);
      // Refused at once because its share is used up: further requests would only measure refusals.
      if (answer.status === 429) await sleep(20);
    }
  }
  const loops = Promise.all(Array.from({ length: LOOPS }, loop));
  loops.catch(first.reject);
  return {
    answers,
    first: first.promise,
    async end() {
      ended = true;
      await loops;
    },
  };
}

const filled = (size: number, before: string, unit: string, after: string): string =>
  before + unit.repeat(Math.floor((size - before.length - after.length) / unit.length)).replace(/,$/, "") + after;
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const fields = (count: number): object => Object.fromEntries(many(count, (i) => [`field_${i}`, i]));
const email = (extra: object): string =>
  JSON.stringify({ identifiers: { email: "ada@example.test" }, subject: "Hi", ...extra });

/** The requests, and functions that create what they need. With `part` of 1 they are as large as the service accepts. */
async function attacksOf(attacker: Attacker, part: number): Promise<Attack[]> {
  const size = Math.floor(MIB * part);
  const file = "QUJD".repeat(Math.floor((19 * size) / 4));
  const values = many(Math.ceil(1_000 * part), (i) => i);
  const attributes = { any: many(50, () => ({ attribute: "a", op: "in", value: values })) };
  const events = { any: many(50, (i) => ({ event: `e${i}`, op: "performed" })) };
  await callApi(attacker, "/data-gateway/v1/batch", {
    items: many(1_000, (i) => ({ type: "track", person_id: `p${i}`, eventName: `e${i % 60}`, properties: fields(40) })),
  });
  const held = { identifiers: { id: "carl" }, to: "carl@example.test", body: "é", attachments: { "a.txt": file } };
  const { delivery_id } = await callApi<{ delivery_id: string }>(attacker, EMAIL, JSON.parse(email(held)));
  const list = await callApi<{ id: string }>(attacker, "/api/v1/audiences", { name: "Buyers", filter: events });
  const segment = "/compat/segment/v1/batch";
  const traits = (i: number) => ({ type: "identify", userId: `u${i}`, traits: fields(60) });
  return [
    { name: "a batch of junk", path: segment, body: filled(size, '{"batch":[', "1,", "]}") },
    { name: "60,000 traits", path: segment, body: JSON.stringify({ batch: many(1_000 * part, traits) }) },
    { name: "escaped keys", path: EMAIL, body: filled(size, '{"a":[', '{"\\n":1},', "]}") },
    { name: "20 MiB of escaped keys", path: EMAIL, body: filled(20 * size, '{"a":[', '{"\\n":1},', "]}") },
    { name: "a file of 14 MiB", path: EMAIL, body: email({ body: "x", attachments: { "a.txt": file } }) },
    {
      name: "long Liquid",
      path: EMAIL,
      body: email({ body: `{% liquid\n${"echo a\n".repeat(70_000 * part)}%}` }),
    },
    { name: "much Liquid", path: EMAIL, body: email({ body: "{{person.a}}".repeat(4_990) }) },
    {
      name: "a Liquid loop",
      path: EMAIL,
      body: email({ body: "{% for i in (1..1000) %}{{ i | times: 3 }}{% endfor %}" }),
    },
    {
      name: "beginnings of a body",
      path: EMAIL,
      body: email({ preheader: "p", body: "<body".repeat(104_000 * part) }),
    },
    { name: "previews of 50,000 values", path: PREVIEW, body: JSON.stringify({ filter: attributes }) },
    { name: "previews of 50 events", path: PREVIEW, body: JSON.stringify({ filter: events }) },
    { name: "exports of an audience", path: `/api/v1/audiences/${list.id}/export` },
    { name: "exports of a person with 19 MiB", path: "/api/v1/people/carl/export" },
    { name: "a delivery with 19 MiB", path: `/api/v1/deliveries/${delivery_id}` },
    { name: "lists with a rare filter", path: "/api/v1/deliveries?status=bounced&include=events" },
  ];
}
