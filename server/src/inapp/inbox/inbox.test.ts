import { expect, onTestFinished, test } from "vitest";
import { testClock, testService } from "../../../test/support/service.ts";
import { decodeId } from "../../platform/ids.ts";
import { personKey } from "../../workspaces/index.ts";
import { QUEUED } from "../queue/queue.ts";

const clock = testClock("2026-03-10T12:00:00.000Z");
const it = await testService({ clock });
const MESSAGES = "/data-gateway/v1/in-app/messages";

async function define(definition: object = {}): Promise<string> {
  const body = { name: "Test", render_type: "inbox_card", body: "Hello", ...definition };
  return (await it.call("POST", "/api/v1/in-app-messages", { body })).body.id;
}

async function send(messageId: string, personId: string): Promise<string> {
  await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: personId } });
  const url = `/api/v1/in-app-messages/${messageId}/test-sends`;
  const answer = await it.call("POST", url, { body: { person_id: personId } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  clock.forward(1_000);
  return answer.body.delivery_id;
}

const inbox = async (personId: string, query = "") => {
  const url = `/data-gateway/v1/in-app/inbox?person_id=${personId}${query}&api_key=${it.publicKey}`;
  const answer = await it.call("GET", url, { key: null });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as { data: { delivery_id: string; read_at: string | null }[]; next_cursor: string | null } & {
    unread_count: number;
  };
};
const ids = (page: { data: { delivery_id: string }[] }) => page.data.map((card) => card.delivery_id);
const mark = (deliveryId: string, as: string, personId: string, headers: Record<string, string> = {}) =>
  it.call("POST", `${MESSAGES}/${deliveryId}/${as}`, { key: it.publicKey, body: { person_id: personId }, headers });

test("the inbox lists live inbox cards newest first, as sync messages with read_at, and nothing else", async () => {
  const [plain, own, modal] = [
    await define(),
    await define({ body: "{{person.person_id}}" }),
    await define({ render_type: "modal" }),
  ];
  const [a, b] = [await send(plain, "ada"), await send(own, "ada")];
  await send(modal, "ada");
  const page = await inbox("ada");
  expect(ids(page)).toEqual([b, a]);
  expect(page).toMatchObject({ next_cursor: null, unread_count: 2 });
  const synced = (await it.call("GET", `${MESSAGES}/sync?person_id=ada`)).body as { delivery_id: string }[];
  expect(page.data[0]).toEqual({ ...synced.find((one) => one.delivery_id === b), read_at: null });
  expect(await inbox("nobody")).toEqual({ data: [], next_cursor: null, unread_count: 0 });
});

test("page rules, quiet hours and min_interval hide no card in the inbox; expiry and dismissal do", async () => {
  const hidden = await define({
    screens: { include: ["elsewhere"] },
    quiet_hours: { enabled: true, timezone_mode: "workspace", start: "00:00", end: "23:59" },
    persistence: { mode: "persistent_until_dismissed", min_interval: { amount: 9, unit: "days" } },
  });
  const brief = await define({ expiry: { amount: 1, unit: "minutes" } });
  const [kept, gone, dismissed] = [await send(hidden, "rule"), await send(brief, "rule"), await send(hidden, "rule")];
  await it.call("POST", `${MESSAGES}/${kept}/impression`, { body: { person_id: "rule" } });
  expect(ids(await inbox("rule"))).toEqual([dismissed, gone, kept]);
  await it.call("POST", `${MESSAGES}/${dismissed}/dismiss`, { body: { person_id: "rule" } });
  clock.forward(60_000);
  expect(ids(await inbox("rule"))).toEqual([kept]);
  expect((await inbox("rule")).unread_count).toBe(1);
});

test("read and unread count once, keep the first time, and show in the list, its filter and its count", async () => {
  const message = await define();
  const [a, b] = [await send(message, "reader"), await send(message, "reader")];
  const at = clock.now().toISOString();
  expect((await mark(a, "read", "reader")).body).toEqual({ delivery_id: a, status: "queued", recorded: true });
  clock.forward(5_000);
  expect((await mark(a, "read", "reader")).body).toEqual({ delivery_id: a, status: "queued", recorded: false });
  const page = await inbox("reader");
  expect(page.data.map((card) => card.read_at)).toEqual([null, at]);
  expect(page.unread_count).toBe(1);
  expect(ids(await inbox("reader", "&unread=true"))).toEqual([b]);
  expect(ids(await inbox("reader", "&unread=false"))).toEqual([b, a]);
  expect((await mark(a, "unread", "reader")).body.recorded).toBe(true);
  expect((await mark(a, "unread", "reader")).body.recorded).toBe(false);
  expect((await inbox("reader", "&unread=true")).unread_count).toBe(2);
  const { events } = (await it.call("GET", `/api/v1/deliveries/${a}`)).body;
  expect(events.map((event: { type: string }) => event.type)).toEqual([
    "in_app.queued",
    "in_app.read",
    "in_app.unread",
  ]);
});

test("the repeat of an old read does not undo the unread after it", async () => {
  const card = await send(await define(), "again");
  const headers = { "idempotency-key": "r1" };
  expect((await mark(card, "read", "again", headers)).body.recorded).toBe(true);
  await mark(card, "unread", "again");
  expect((await mark(card, "read", "again", headers)).body).toMatchObject({ recorded: false });
  expect((await inbox("again")).unread_count).toBe(1);
});

test("20 parallel reads of one card are one read", async () => {
  const card = await send(await define(), "many");
  const answers = await Promise.all(Array.from({ length: 20 }, () => mark(card, "read", "many")));
  expect(answers.filter((answer) => answer.body.recorded)).toHaveLength(1);
});

test("pages follow each other without a gap or a repeat, also among cards of one instant", async () => {
  const message = await define();
  const sent: string[] = [];
  for (let i = 0; i < 7; i++) {
    sent.push(await send(message, "pager"));
    if (i < 4) clock.forward(-1_000);
  }
  const found: string[] = [];
  let cursor = "";
  for (;;) {
    const page = await inbox("pager", `&limit=2${cursor}`);
    expect(page.unread_count).toBe(7);
    found.push(...ids(page));
    if (page.next_cursor === null) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  expect(found).toEqual(ids(await inbox("pager")));
  expect(found.toSorted()).toEqual(sent.toSorted());
});

test("another person's card, a wrong id, a forged cursor and a wrong parameter are refused", async () => {
  const card = await send(await define(), "mine");
  await send(await define(), "theirs");
  for (const id of [card, "nonsense", "dlv_00000000000000000000000000"]) {
    expect(await mark(id, "read", "theirs")).toMatchObject({ status: 404, body: { code: "delivery_not_found" } });
  }
  expect((await inbox("mine")).unread_count).toBe(1);
  for (const query of ["cursor=x", "limit=0", "limit=201", "unread=maybe", "person_id="]) {
    const url = `/data-gateway/v1/in-app/inbox?${query.startsWith("person") ? "" : "person_id=mine&"}${query}`;
    expect(await it.call("GET", url), query).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  }
});

test("a mark is told to the person's open applications, once, and a repeat to nobody", async () => {
  const card = await send(await define(), "told");
  const heard: string[] = [];
  const end = it.service.ground.signals.subscribe(QUEUED, (items) => heard.push(...items));
  onTestFinished(end);
  const said = `${personKey(it.workspaceId, "told")}:${decodeId("dlv", card)}`;
  await mark(card, "read", "told");
  expect(heard).toEqual([said]);
  await mark(card, "read", "told");
  expect(heard).toEqual([said]);
  await mark(card, "unread", "told", { "idempotency-key": "k1" });
  expect(heard).toEqual([said, said]);
  await mark(card, "read", "told");
  expect((await mark(card, "unread", "told", { "idempotency-key": "k1" })).body).toMatchObject({ recorded: false });
  expect(heard).toEqual([said, said, said]);
});
