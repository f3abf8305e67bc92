import { expect, test } from "vitest";
import { inAppService } from "../../../test/support/services/in-app.ts";
import { personKey } from "../../people/index.ts";
import { sql } from "../../platform/db/index.ts";

const { it, identify, clock } = await inAppService();
const { db } = it.service.ground;
const DAY_MS = 86_400_000;
const now = clock.now();

async function draft(own: object): Promise<string> {
  const answer = await it.call("POST", "/api/v1/campaigns", { body: { name: "Test", ...own } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}
const replay = (id: string, days: number) => it.call("POST", `/api/v1/campaigns/${id}/replay`, { body: { days } });

/** Records an event as it was recorded some days ago. */
async function happened(personId: string, eventName: string, daysAgo: number, properties: object = {}): Promise<void> {
  clock.set(new Date(now.getTime() - daysAgo * DAY_MS));
  const body = { person_id: personId, eventName, properties };
  expect((await it.call("POST", "/data-gateway/v1/track", { body })).status).toBe(202);
  clock.set(now);
}

test("a replay says who would have entered in the last days, where they would be and what they would have been sent", async () => {
  await identify("ada", { email: "ada@example.test" });
  await identify("bob", {});
  await identify("eve", { email: "eve@example.test" });
  await happened("ada", "signed_up", 5, { plan: "pro" });
  await happened("ada", "signed_up", 4, { plan: "pro" });
  await happened("ada", "ordered", 3);
  await happened("bob", "signed_up", 2, { plan: "pro" });
  await happened("eve", "signed_up", 1, { plan: "free" });
  await happened("eve", "signed_up", 20, { plan: "pro" });
  const id = await draft({
    trigger: { type: "event", name: "signed_up", where: [{ property: "plan", op: "eq", value: "pro" }] },
    goal: { event: "ordered", within: { amount: 7, unit: "days" } },
    steps: [
      { id: "mail", type: "message", channel: "email", content: { subject: "Hi", body: "Hi" } },
      { id: "order", type: "wait_until", event: "ordered", timeout: { amount: 10, unit: "days" } },
    ],
  });
  const before = await db.query(
    sql`select count(*)::integer as runs, (select count(*)::integer from deliveries) as sent from campaign_runs`,
  );
  const answer = await replay(id, 7);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body).toEqual({
    from: new Date(now.getTime() - 7 * DAY_MS).toISOString(),
    to: now.toISOString(),
    people: 3,
    simulated: 3,
    estimate: false,
    entered: 2,
    refused: { already_entered: 1, where: 1 },
    status: { active: 1, completed: 1 },
    steps: {
      mail: { entered: 2, waiting: 0, passed: 1, failed: 1, exited: 0 },
      order: { entered: 2, waiting: 1, passed: 1, failed: 0, exited: 0 },
    },
    messages: [{ step_id: "mail", channel: "email", sent: 1, failed: { no_address: 1 }, held_out: 0 }],
    goal: { reached: 1 },
    stopped: null,
  });
  expect((await replay(id, 30)).body).toMatchObject({ people: 3, entered: 3 });
  expect(
    await db.query(
      sql`select count(*)::integer as runs, (select count(*)::integer from deliveries) as sent from campaign_runs`,
    ),
  ).toEqual(before);
});

test("of more than 1,000 people a sample is simulated, and the numbers are marked as an estimate", async () => {
  const ids = Array.from({ length: 1_500 }, (_, i) => `many-${i}`);
  const keys = ids.map((id) => personKey(it.workspaceId, id));
  await db.execute(sql`
    insert into people (person_key, workspace_id, person_id, attributes, identified_at, created_at, updated_at)
    select t.key, ${it.workspaceId}, t.id, '{}', ${now}, ${now}, ${now} from unnest(${keys}::uuid[], ${ids}::text[]) as t (key, id)`);
  await db.execute(sql`
    insert into events (person_key, id, workspace_id, name, properties, ts, received_at)
    select t.key, gen_random_uuid(), ${it.workspaceId}, 'visited', '{}', ${now}::timestamptz - interval '1 day', ${now}::timestamptz - interval '1 day'
    from unnest(${keys}::uuid[]) as t (key)`);
  const id = await draft({
    trigger: { type: "event", name: "visited" },
    steps: [
      { id: "stay", type: "wait", for: { amount: 1, unit: "hours" } },
      { id: "ping", type: "message", channel: "push", content: { title: "Hi", message: "Hi" } },
    ],
  });
  const answer = await replay(id, 2);
  expect(answer.body).toMatchObject({
    people: 1_500,
    simulated: 1_000,
    estimate: true,
    entered: 1_500,
    status: { completed: 1_500 },
    messages: [{ step_id: "ping", sent: 0, failed: { no_address: 1_500 } }],
    stopped: null,
  });
});

test("a campaign that nobody enters by an event can't be replayed, and an incomplete one answers its problems", async () => {
  const byCall = await draft({ trigger: { type: "api" }, steps: [{ id: "end", type: "exit" }] });
  expect(await replay(byCall, 7)).toMatchObject({ status: 422, body: { code: "not_replayable" } });
  const incomplete = await draft({ trigger: { type: "event", name: "go" }, steps: [] });
  expect(await replay(incomplete, 7)).toMatchObject({ status: 422, body: { code: "campaign_invalid" } });
  expect(await replay(incomplete, 31)).toMatchObject({ status: 400, body: { errors: [{ pointer: "/days" }] } });
});
