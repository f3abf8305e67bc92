import { describe, expect, test } from "vitest";
import { inAppService } from "../../test/support/services/in-app.ts";
import { createMissing } from "../people/index.ts";
import { sql } from "../platform/db/index.ts";
import { decodeId, newId } from "../platform/ids.ts";
import { assignmentOf } from "../sendings/rules/split.ts";
import { personKey } from "../workspaces/index.ts";
import { step } from "./fanout/fanout.ts";

// A/B splits and holdouts, from the draft to the numbers.

const { it, clock, identify, define, sync, report } = await inAppService();
const { ground } = it.service;
const post = (path: string, body?: object) => it.call("POST", `/api/v1/broadcasts${path}`, body ? { body } : {});
const read = async (id: string) => (await it.call("GET", `/api/v1/broadcasts/${id}`)).body;
const metrics = async (id: string) => (await it.call("GET", `/api/v1/broadcasts/${id}/metrics`)).body;

async function draft(group: string, fields: object): Promise<string> {
  const audience = { attribute: "group", op: "eq", value: group };
  const answer = await post("", { name: "Test", channel: "in_app", audience, ...fields });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

/** People of a group with their attributes, many at once. */
async function crowd(group: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `${group}-${newId()}`);
  const missing = ids.map((personId) => ({ workspaceId: it.workspaceId, personId }));
  await ground.db.transaction((tx) => createMissing(tx, missing, clock.now()));
  await ground.db.execute(sql`
    update people set attributes = jsonb_build_object('group', ${group}::text), email = person_id || '@example.test'
    where person_id like ${`${group}-%`}`);
  return ids;
}

interface Row {
  person_id: string;
  variant: string | null;
  status: string;
  message_id: string | null;
}

/** Returns all deliveries of a broadcast. */
async function deliveriesOf(id: string, query = ""): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ""; ; ) {
    const { data, next_cursor } = (
      await it.call("GET", `/api/v1/deliveries?source_id=${id}&limit=200${query}${cursor}`)
    ).body;
    rows.push(...data);
    if (next_cursor === null) return rows;
    cursor = `&cursor=${next_cursor}`;
  }
}

/** A process that dies, as by kill -9, right before a batch is committed, or after its batches but before its step. */
function dyingProcess(before: "batch" | "step", count: () => void): typeof ground {
  let begun = 0;
  const transaction: typeof ground.workDb.transaction = (work) => {
    const cut = (begun++ === 0) === (before === "step");
    return ground.workDb.transaction(async (tx) => {
      const result = await work(tx);
      // There was nothing to do.
      if (!cut || result === false || result === 0) return result;
      count();
      throw new Error("killed");
    });
  };
  return { ...ground, workDb: { ...ground.workDb, transaction } };
}

/** Takes all steps of a broadcast, and lets every second process die. Returns how many died. */
async function workWithCrashes(): Promise<number> {
  let crashes = 0;
  const count = () => void crashes++;
  for (let i = 0; ; i++) {
    const before = crashes;
    const process = i % 2 === 0 ? ground : dyingProcess(i % 4 === 1 ? "batch" : "step", count);
    const more = await step(process, 0);
    // A step that failed is repeated after 5 s.
    if (crashes > before) clock.forward(6_000);
    else if (!more) return crashes;
  }
}

const split = {
  holdoutPercent: 20,
  variants: [
    { name: "A", weight: 1 },
    { name: "B", weight: 3 },
  ],
};
const assignment = (broadcast: string, personId: string) =>
  assignmentOf(split, decodeId("bc", broadcast) ?? "", personKey(it.workspaceId, personId));

describe("an A/B broadcast with a holdout, whose processes die again and again", () => {
  test.each([
    [
      "in_app",
      2_700,
      async () => ({ A: { message_id: await define({ body: "A" }) }, B: { message_id: await define({ body: "B" }) } }),
    ],
    [
      "email",
      900,
      async () => ({
        A: { content: { subject: "A", body: "<p>A</p>", from: "a@acme.test" } },
        B: { content: { subject: "B", body: "<p>B</p>", from: "a@acme.test" } },
      }),
    ],
  ] as const)(
    "by %s sends everyone their variant once, or nothing, and the totals agree",
    async (channel, size, contents) => {
      const group = `ab-${channel}`;
      const people = await crowd(group, size);
      const { A, B } = await contents();
      const variants = [
        { name: "A", weight: 1, ...A },
        { name: "B", weight: 3, ...B },
      ];
      const id = await draft(group, { channel, variants, holdout_percent: 20 });
      const preflight = (await post(`/${id}/preflight`)).body;
      await post(`/${id}/send`);
      expect(await workWithCrashes()).toBeGreaterThan(1);

      const rows = await deliveriesOf(id);
      const held = people.filter((personId) => assignment(id, personId).heldOut);
      expect(await read(id)).toMatchObject({
        status: "sent",
        progress: { total: size, done: size, held_out: held.length, seconds_left: 0 },
      });
      expect(rows.length).toBe(size - held.length);
      expect(new Map(rows.map((row) => [row.person_id, row.variant]))).toEqual(
        new Map(people.flatMap((one) => (assignment(id, one).heldOut ? [] : [[one, assignment(id, one).variant]]))),
      );
      const numbers = await metrics(id);
      for (const name of ["A", "B"] as const) {
        const own = await deliveriesOf(id, `&variant=${name}`);
        expect(own).toEqual(rows.filter(({ variant }) => variant === name));
        if (channel === "in_app") {
          expect(numbers.variants[name].sent).toBe(own.length);
          expect(new Set(own.map(({ message_id }) => message_id))).toEqual(
            new Set([(variants.find((variant) => variant.name === name) as { message_id?: string }).message_id]),
          );
        }
        expect(preflight.variants[name]).toEqual({
          will_receive: own.length,
          excluded: { unsubscribed: 0, suppressed: 0, no_address: 0 },
        });
      }
      if (channel === "in_app") expect(numbers.sent).toBe(rows.length);
      expect(preflight).toMatchObject({ audience: size, will_receive: rows.length, held_out: held.length });
      expect(preflight.samples.held_out).toHaveLength(5);
      expect(held).toEqual(expect.arrayContaining(preflight.samples.held_out));
    },
  );
});

test.each(["pause", "cancel"])(
  "a %s after a process died counts the people whom that process had committed",
  async (verb) => {
    const people = await crowd(`dies-${verb}`, 1_300);
    const id = await draft(`dies-${verb}`, { message_id: await define(), holdout_percent: 10, rate_per_second: 500 });
    await post(`/${id}/send`);
    await step(ground, 0);
    expect(
      await step(
        dyingProcess("step", () => {}),
        0,
      ),
    ).toBe(false);
    const { progress } = (await post(`/${id}/${verb}`)).body;
    const { length } = await deliveriesOf(id);
    expect(length).toBeGreaterThan(0);
    expect(progress).toMatchObject({ total: people.length, done: length + progress.held_out });
  },
);

describe("a split", () => {
  const variants = async () => [
    { name: "A", weight: 1, message_id: await define({ body: "A" }) },
    { name: "B", weight: 1, message_id: await define({ body: "B" }) },
  ];

  test("counts the results of each variant, and the people whom it could not reach", async () => {
    const people = await crowd("numbers", 40);
    const id = await draft("numbers", { variants: await variants() });
    const [off = ""] = people;
    await it.call("PATCH", `/api/v1/people/${off}/subscriptions`, { body: { subscribed: false } });
    await post(`/${id}/send`);
    while (await step(ground));
    const rows = await deliveriesOf(id);
    const mine = rows.find(({ variant, status }) => variant === "A" && status === "queued") as Row;
    const [shown] = await sync(mine.person_id);
    expect(shown).toMatchObject({ content: { body: "A" } });
    await report(shown?.delivery_id ?? "", "click", { person_id: mine.person_id });
    const { variants: byVariant, ...total } = await metrics(id);
    expect(Object.keys(byVariant)).toEqual(["A", "B"]);
    expect(byVariant.A).toMatchObject({ shown: 1, clicked: 1 });
    expect(byVariant.B).toMatchObject({ shown: 0, clicked: 0 });
    for (const name of Object.keys(total)) expect(byVariant.A[name] + byVariant.B[name], name).toBe(total[name]);
    expect(total).toMatchObject({ sent: 39, failed: 1 });
    expect(byVariant[rows.find(({ person_id }) => person_id === off)?.variant ?? ""].failed).toBe(1);
    const none = { since: new Date(clock.now().getTime() + 1).toISOString() };
    expect(await metrics(`${id}`)).toMatchObject({ sent: 39 });
    const later = await it.call("GET", `/api/v1/broadcasts/${id}/metrics?since=${none.since}`);
    expect(later.body).toMatchObject({ sent: 0, variants: { A: { sent: 0 }, B: { sent: 0 } } });
  });

  test("fixes the version of each message when it is sent, and a recall takes all of them back", async () => {
    await crowd("versions", 30);
    const two = await variants();
    const id = await draft("versions", { variants: two });
    expect((await post(`/${id}/send`)).body.variants).toMatchObject([{ message_version: 1 }, { message_version: 1 }]);
    for (const { message_id } of two)
      await it.call("PATCH", `/api/v1/in-app-messages/${message_id}`, { body: { body: "Changed" } });
    while (await step(ground));
    const [row] = await deliveriesOf(id);
    expect(await sync(row?.person_id ?? "")).toMatchObject([{ content: { body: row?.variant } }]);
    expect((await post(`/${id}/recall`)).body).toEqual({ status: "sent", recalled: 30, more: false });
    expect((await deliveriesOf(id)).every(({ status }) => status === "canceled")).toBe(true);
  });

  test("without variants has a holdout too, and its metrics have no variants", async () => {
    const people = await crowd("held", 60);
    const id = await draft("held", { message_id: await define(), holdout_percent: 50 });
    await post(`/${id}/send`);
    while (await step(ground));
    const rows = await deliveriesOf(id);
    const { progress } = await read(id);
    expect(progress).toMatchObject({ total: 60, done: 60 });
    expect(progress.held_out).toBeGreaterThan(0);
    expect(rows.length + progress.held_out).toBe(people.length);
    expect(rows.every(({ variant }) => variant === null)).toBe(true);
    expect(await metrics(id)).not.toHaveProperty("variants");
  });

  test("is previewed and tested in a named variant, else in the person's own, held out or not", async () => {
    await identify("tess");
    const id = await draft("nobody", { variants: await variants(), holdout_percent: 50 });
    const preview = async (fields: object = {}) =>
      (await post(`/${id}/preview`, { person_id: "tess", ...fields })).body;
    for (const variant of ["A", "B"])
      expect(await preview({ variant })).toMatchObject({ variant, locale: null, content: { body: variant } });
    const own = await preview();
    expect(await preview({ variant: own.variant })).toEqual(own);
    expect(typeof own.held_out).toBe("boolean");
    expect(await preview({ variant: "C" })).toMatchObject({ status: 400, errors: [{ pointer: "/variant" }] });
    const sent = await post(`/${id}/test-sends`, { person_id: "tess", variant: "B" });
    expect(sent.status, JSON.stringify(sent.body)).toBe(202);
    expect(await sync("tess")).toMatchObject([{ delivery_id: sent.body.delivery_id, content: { body: "B" } }]);
  });
});
