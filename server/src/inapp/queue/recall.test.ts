import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { testService } from "../../../test/support/service.ts";
import { until } from "../../../test/support/wait.ts";
import { createMissing, findPeople, type Person } from "../../people/index.ts";
import { sql } from "../../platform/db/index.ts";
import { decodeId, derivedId, newId } from "../../platform/ids.ts";
import { type Workspace, workspaceById } from "../../workspaces/index.ts";
import { QUEUED, queue } from "./queue.ts";

const encryptionKey = randomBytes(32);
const it = await testService({ encryptionKey });
const { ground } = it.service;
const MESSAGES = "/data-gateway/v1/in-app/messages";

async function people(count: number): Promise<Person[]> {
  const ids = Array.from({ length: count }, () => newId());
  const missing = ids.map((personId) => ({ workspaceId: it.workspaceId, personId }));
  await ground.db.transaction((tx) => createMissing(tx, missing, new Date()));
  const lookups = ids.map((id) => ({ workspaceId: it.workspaceId, id }));
  return (await findPeople(ground.db, lookups)) as Person[];
}

async function define(definition: object = {}): Promise<string> {
  const body = { name: "n", render_type: "modal", body: "b", ...definition };
  return (await it.call("POST", "/api/v1/in-app-messages", { body })).body.id;
}

async function send(messageId: string, recipients: Person[]): Promise<void> {
  const workspace = (await workspaceById(ground.db, it.workspaceId)) as Workspace;
  const id = decodeId("msg", messageId) as string;
  await ground.db.transaction((tx) =>
    queue(tx, workspace, {
      source: "broadcast",
      sourceId: derivedId("broadcast", id),
      messageId: id,
      version: 1,
      recipients: recipients.map((person) => ({ deliveryId: derivedId(id, person.person_key), person })),
      now: new Date(),
    }),
  );
}

const sync = async (person: Person | undefined): Promise<string[]> =>
  (await it.call("GET", `${MESSAGES}/sync?person_id=${person?.person_id}`)).body.map(
    (one: { delivery_id: string }) => one.delivery_id,
  );
const recall = (messageId: string, key?: string) =>
  it.call("POST", `/api/v1/in-app-messages/${messageId}/recall`, key === undefined ? {} : { key });
const shown = async (deliveryId: string) => (await it.call("GET", `/api/v1/deliveries/${deliveryId}`)).body;

test("recalling a message recalls all its deliveries that are not over, in several batches, and changes no other delivery", async () => {
  const [message, other] = [await define(), await define()];
  const all = await people(2_300);
  for (let i = 0; i < all.length; i += 500) await send(message, all.slice(i, i + 500));
  await send(other, all.slice(0, 3));
  const report = async (n: number, type: string) => {
    const [id] = await sync(all[n]);
    await it.call("POST", `${MESSAGES}/${id}/${type}`, { body: { person_id: all[n]?.person_id } });
  };
  await report(2_000, "dismiss");
  await report(2_001, "impression");
  await report(2_002, "click");
  expect(await recall(message)).toMatchObject({ status: 200, body: { recalled: 2_299, more: false } });
  expect((await recall(message)).body).toEqual({ recalled: 0, more: false });
  const rows = await ground.db.query(sql`
    select status, live, reason, count(*), count(shown_at) as shown, count(clicked_at) as clicked, sum(impressions) as impressions
    from deliveries where message_id = ${decodeId("msg", message)} group by 1, 2, 3 order by 1`);
  expect(rows).toEqual([
    { status: "canceled", live: false, reason: "recalled", count: 2_299, shown: 2, clicked: 1, impressions: 2 },
    { status: "dismissed", live: false, reason: null, count: 1, shown: 1, clicked: 0, impressions: 1 },
  ]);
  expect(await sync(all[0])).toHaveLength(1);
  expect(await sync(all[2_299])).toEqual([]);
});

test("a deleted definition can still be recalled; another workspace's or a wrong id is 404", async () => {
  const message = await define();
  await send(message, await people(1));
  const other = await it.another();
  for (const answer of [await recall(message, other.secretKey), await recall("nonsense")]) {
    expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
  }
  await it.call("DELETE", `/api/v1/in-app-messages/${message}`);
  expect((await recall(message)).body).toEqual({ recalled: 1, more: false });
});

test("a delivery is recalled once, with a log entry, and later reports are recorded without changing its status", async () => {
  const [person] = (await people(1)) as [Person];
  await send(await define(), [person]);
  const [delivery] = (await sync(person)) as [string];
  const one = () => it.call("POST", `/api/v1/deliveries/${delivery}/recall`);
  expect(await one()).toMatchObject({
    status: 200,
    body: { delivery_id: delivery, status: "canceled", recalled: true },
  });
  expect((await one()).body).toEqual({ delivery_id: delivery, status: "canceled", recalled: false });
  expect(await sync(person)).toEqual([]);
  const late = await it.call("POST", `${MESSAGES}/${delivery}/impression`, { body: { person_id: person.person_id } });
  expect(late.body).toMatchObject({ status: "canceled", recorded: true });
  const { events, status, impressions } = await shown(delivery);
  expect([status, impressions]).toEqual(["canceled", 1]);
  expect(events.map((event: { type: string }) => event.type)).toEqual([
    "in_app.queued",
    "in_app.canceled",
    "in_app.impression",
  ]);
});

test("a message on the screen with no impressions left can be recalled: a repeat of its impression is answered with canceled", async () => {
  const [person] = (await people(1)) as [Person];
  for (const all of [true, false]) {
    const message = await define();
    await send(message, [person]);
    const [delivery] = (await sync(person)) as [string];
    const display = async () => {
      const items = [{ type: "impression", delivery_id: delivery, event_id: `displayed ${delivery}` }];
      const body = { person_id: person.person_id, items };
      return (await it.call("POST", `${MESSAGES}/interactions`, { body })).body.results[0];
    };
    expect(await display()).toMatchObject({ status: "shown", recorded: true });
    expect(await sync(person)).toEqual([]);
    // What the browser package asks when it displays what sync no longer lists: "shown" would leave it open.
    expect(await display()).toMatchObject({ status: "shown", recorded: false });
    const heard: string[] = [];
    const end = ground.signals.subscribe(QUEUED, (items) => heard.push(...items));
    const path = all ? `in-app-messages/${message}` : `deliveries/${delivery}`;
    expect(await it.call("POST", `/api/v1/${path}/recall`)).toMatchObject({ status: 200 });
    end();
    expect(heard).toEqual([`${person.person_key}:${decodeId("dlv", delivery)}`]);
    expect(await display()).toMatchObject({ status: "canceled", recorded: false });
    const { status, reason, impressions, shown_at } = await shown(delivery);
    expect([status, reason, impressions, typeof shown_at]).toEqual(["canceled", "recalled", 1, "string"]);
  }
});

test("an email is 422, and a wrong or another workspace's delivery 404", async () => {
  const email = await it.call("POST", "/data-gateway/transactionals/email", {
    body: { identifiers: { email: "a@example.org" }, subject: "s", body: "b", from: "b@example.org" },
  });
  const of = (id: string, key = it.secretKey) => it.call("POST", `/api/v1/deliveries/${id}/recall`, { key });
  expect(await of(email.body.delivery_id)).toMatchObject({ status: 422, body: { code: "channel_mismatch" } });
  const other = await it.another();
  for (const answer of [
    await of(email.body.delivery_id, other.secretKey),
    await of("nonsense"),
    await of("dlv_00000000000000000000000000"),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
  }
});

test("open applications learn of a recall through their streams, on another process too", async () => {
  const second = await testService({ databaseUrl: it.databaseUrl, encryptionKey });
  const [person] = (await people(1)) as [Person];
  const texts = await Promise.all(
    [await it.service.listen(), await second.service.listen()].map(async (base) => {
      const url = `${base}${MESSAGES}/stream?person_id=${person.person_id}&api_key=${it.publicKey}`;
      const ended = new AbortController();
      onTestFinished(() => ended.abort());
      const response = await fetch(url, { signal: ended.signal });
      const heard = { text: "" };
      void (async () => {
        for await (const part of response.body ?? []) heard.text += Buffer.from(part).toString();
      })().catch(() => {});
      await until(() => heard.text.includes(": connected"));
      return heard;
    }),
  );
  await until(() => second.service.ground.signals.healthy(), "the second process to hear");
  const message = await define();
  await send(message, [person]);
  const [delivery] = (await sync(person)) as [string];
  const both = (what: string) =>
    until(() => texts.every((heard) => heard.text.includes(`"delivery_id":"${delivery}"`)), what);
  await both("both streams to hear of it");
  for (const heard of texts) heard.text = "";
  expect((await recall(message)).body.recalled).toBe(1);
  await both("both streams to hear of the recall");
  expect(await sync(person)).toEqual([]);
});

test("a recall and simultaneous impressions end in one consistent state", async () => {
  const all = await people(60);
  const message = await define({ persistence: { mode: "persistent_until_dismissed" } });
  await send(message, all);
  const ids = await Promise.all(all.map(async (person) => (await sync(person))[0] as string));
  const reports = all.map((person, i) =>
    it.call("POST", `${MESSAGES}/${ids[i]}/impression`, { body: { person_id: person.person_id } }),
  );
  const [{ body }, ...answers] = await Promise.all([recall(message), ...reports]);
  expect(body.recalled).toBe(60);
  expect(answers.every((answer) => answer.status === 200 && answer.body.recorded)).toBe(true);
  const rows = await ground.db.query(sql`
    select status, live, impressions, count(*) from deliveries where message_id = ${decodeId("msg", message)} group by 1, 2, 3`);
  expect(rows).toEqual([{ status: "canceled", live: false, impressions: 1, count: 60 }]);
});
