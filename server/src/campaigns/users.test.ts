import { expect, test } from "vitest";
import { inAppService } from "../../test/support/services/in-app.ts";
import { sql } from "../platform/db/index.ts";
import { decodeId } from "../platform/ids.ts";

const { it, identify, define } = await inAppService();
const { db } = it.service.ground;
const call = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object) =>
  it.call(method, `/api/v1${path}`, body ? { body } : {});
const make = async (path: string, body: object): Promise<string> => {
  const made = await call("POST", path, body);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
};
const hour = { amount: 1, unit: "hours" };
const wait = { id: "a", type: "wait", for: hour };
const campaign = (fields: object) =>
  make("/campaigns", { name: "Renewal", trigger: { type: "api" }, steps: [wait], ...fields });

test("an audience, a template, a topic and in-app messages that a campaign uses can't be removed", async () => {
  const list = await make("/audiences", { name: "List", kind: "list" });
  const audience = await make("/audiences", { name: "Filter", filter: { all: [] } });
  const template = await make("/email-templates", { name: "Template", subject: "Hi", body: "Hi" });
  const [shown, later] = [await define(), await define()];
  const topic = await make("/topics", { name: "News", default: "subscribed" });
  const id = await campaign({
    trigger: { type: "audience", audience_id: audience },
    steps: [
      {
        id: "mail",
        type: "message",
        channel: "sms",
        content: { body: "Hi" },
        topic_id: topic,
        escalate: [
          { after: hour, channel: "email", content: { template_id: template } },
          { after: hour, channel: "in_app", message_id: later },
        ],
      },
      { id: "show", type: "message", channel: "in_app", message_id: shown },
      { id: "fork", type: "branch", if: { not: { audience: list } }, then: [{ id: "on", type: "list", add: list }] },
    ],
  });
  for (const aud of [list, audience])
    expect(await call("DELETE", `/audiences/${aud}`)).toMatchObject({
      status: 409,
      body: { code: "conflict", used_by: [{ type: "campaign", id, name: "Renewal" }] },
    });
  const others = [
    `/email-templates/${template}`,
    `/topics/${topic}`,
    `/in-app-messages/${shown}`,
    `/in-app-messages/${later}`,
  ];
  for (const path of others) {
    const answer = await call("DELETE", path);
    expect(answer).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(answer.body.detail).toContain("Renewal");
  }
  await call("DELETE", `/campaigns/${id}`);
  for (const path of [`/audiences/${list}`, `/audiences/${audience}`, ...others])
    expect((await call("DELETE", path)).status, path).toBe(204);
});

test("what is published keeps it too, and so does an older journey while somebody is in it", async () => {
  const list = await make("/audiences", { name: "Kept", kind: "list" });
  const id = await campaign({ steps: [wait, { id: "on", type: "list", add: list }] });
  const status = async () => (await call("DELETE", `/audiences/${list}`)).status;
  await call("POST", `/campaigns/${id}/activate`);
  await identify("ada");
  await call("PATCH", `/campaigns/${id}`, { steps: [wait] });
  expect(await status(), "it is published").toBe(409);
  expect((await call("POST", `/campaigns/${id}/runs`, { person_id: "ada" })).status).toBe(202);
  expect((await call("POST", `/campaigns/${id}/activate`, { inside: "stay" })).status).toBe(200);
  expect(await status(), "Ada will come to it").toBe(409);
  await db.execute(sql`
    update campaign_runs set status = 'completed', step_id = null, due_at = null, ended_at = now()
    where campaign_id = ${decodeId("cmp", id)}`);
  expect(await status()).toBe(204);
});

test("a campaign names its deliveries' source", async () => {
  const id = await campaign({ name: "Named" });
  const { slices } = it.service.ground;
  expect(await slices.namesOf(db, it.workspaceId, [id])).toEqual(new Map([[id, "Named"]]));
  expect(await slices.namesOf(db, (await it.another()).workspaceId, [id])).toEqual(new Map());
});

test("an activation that is answered is known at once, and a pause and an archive are, too", async () => {
  const id = await campaign({ trigger: { type: "event", name: "came" }, reentry: "always" });
  const entered = async () =>
    (await db.query(sql`select from campaign_runs where campaign_id = ${decodeId("cmp", id)}`)).length;
  const track = async () => {
    const answer = await it.call("POST", "/data-gateway/v1/track", { body: { person_id: "ben", eventName: "came" } });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return entered();
  };
  await identify("ben");
  expect(await track()).toBe(0);
  await call("POST", `/campaigns/${id}/activate`);
  expect(await track()).toBe(1);
  await call("POST", `/campaigns/${id}/pause`);
  expect(await track()).toBe(1);
  await call("POST", `/campaigns/${id}/resume`);
  expect(await track()).toBe(2);
  await call("POST", `/campaigns/${id}/archive`);
  expect(await track()).toBe(2);
});

test("activating watches the audience: those who are in it enter only where the trigger says so", async () => {
  const audience = { attribute: "plan", op: "eq", value: "pro" };
  await identify("cy", { plan: "pro" });
  const watched = async (existing: boolean) => {
    const id = await campaign({ trigger: { type: "audience", audience, existing } });
    expect((await call("POST", `/campaigns/${id}/activate`)).status).toBe(200);
    const of = sql`campaign_id = ${decodeId("cmp", id)}`;
    return [
      (await db.query(sql`select from campaign_sweeps where ${of}`)).length,
      (await db.query(sql`select from campaign_members where ${of}`)).length,
    ];
  };
  expect(await watched(false)).toEqual([1, 1]);
  expect(await watched(true)).toEqual([1, 0]);
});
