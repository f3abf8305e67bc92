import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inAppService, MESSAGES } from "../../../test/support/services/in-app.ts";
import { waitingForLocks } from "../../../test/support/database/locks.ts";
import { until } from "../../../test/support/wait.ts";
import { LIVE_CHANGED } from "../../activity/index.ts";
import { decodeId, newId } from "../../platform/ids.ts";
import { personKey } from "../../workspaces/index.ts";
import { mergePeople } from "./merge.ts";
import { mergedStates } from "./merged-states.ts";

const { clock, it, identify, define, send, sync, report } = await inAppService();
const { ground } = it.service;
const { db } = ground;

const merge = (from: string, into: unknown, key = it.secretKey) =>
  it.call("POST", `/api/v1/people/${from}/merge`, { key, body: { into } });
const person = (id: string) => it.call("GET", `/api/v1/people/${id}`);
const held = async (id: string) => (await it.call("GET", `/api/v1/people/${id}/export`)).body;
const track = (person_id: string, eventName: string) =>
  it.call("POST", "/data-gateway/v1/track", { body: { person_id, eventName } });

const states = fc.record({
  subscribed: fc.boolean(),
  preferences: fc.dictionary(fc.constantFrom("email", "push", "top_a", "top_b"), fc.boolean()),
});

test("an unsubscribe of either person stays, and no choice is lost", () => {
  fc.assert(
    fc.property(states, states, (target, source) => {
      const merged = mergedStates(target, source);
      expect(merged.subscribed).toBe(target.subscribed && source.subscribed);
      const keys = new Set([...Object.keys(target.preferences), ...Object.keys(source.preferences)]);
      expect(new Set(Object.keys(merged.preferences))).toEqual(keys);
      for (const key of keys) {
        const chosen = [target.preferences[key], source.preferences[key]].filter((state) => state !== undefined);
        expect(merged.preferences[key]).toBe(!chosen.includes(false));
      }
    }),
  );
});

describe("merging", () => {
  test("everything becomes the target's, whose attributes win, and the source is deleted", async () => {
    await identify("phone", { email: "old@example.test", phone: "+4915112345678", plan: "free", shoe: 42 });
    await identify("web", { email: "new@example.test", plan: "pro" });
    await it.call("PATCH", "/api/v1/people/phone/subscriptions", { body: { channels: { email: false } } });
    await it.call("PUT", "/data-gateway/v1/devices", { body: { person_id: "phone", platform: "ios", token: "t1" } });
    await track("phone", "came");
    await track("web", "came");
    const answer = await merge("phone", "web");
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      person_id: "web",
      email: "new@example.test",
      phone: "+4915112345678",
      attributes: { plan: "pro", shoe: 42 },
    });
    expect((await person("phone")).status).toBe(404);
    const all = await held("web");
    expect([all.devices.length, all.events.length, all.preferences]).toEqual([1, 2, { email: false }]);
    expect(all.activity.at(-1)).toMatchObject({ type: "person.merged", data: { from: "phone" } });
    const left = await db.query({
      text: "select 1 from events where person_key = $1 union all select 1 from activity where person_key = $1",
      values: [personKey(it.workspaceId, "phone")],
    });
    expect(left).toEqual([]);
  });

  test("live in-app messages move with their impressions, and both people's applications sync again", async () => {
    await it.call("PATCH", "/api/v1/workspace", { body: { in_app_cap: { max_per_day: 9 } } });
    await identify("app");
    await identify("main");
    const message = await define({ persistence: { mode: "persistent_until_dismissed", max_impressions: 3 } });
    const [a, b] = [await send(message, "app"), await send(message, "main")];
    for (const [id, person_id] of [
      [a, "app"],
      [b, "main"],
    ] as const)
      expect((await report(id, "impression", { person_id })).status).toBe(200);
    const heard: string[] = [];
    const end = ground.signals.subscribe(LIVE_CHANGED, (items) => heard.push(...items));
    expect((await merge("app", "main")).status).toBe(200);
    end();
    const id = decodeId("dlv", a);
    expect(heard).toEqual(["app", "main"].map((who) => `${personKey(it.workspaceId, who)}:${id}`));
    expect((await sync("main")).map((one) => one.delivery_id).sort()).toEqual([a, b].sort());
    expect(await sync("app")).toEqual([]);
    const all = await held("main");
    expect(all.deliveries.map((row: { impressions: number }) => row.impressions)).toEqual([1, 1]);
    expect(all.in_app_caps[0].impressions).toHaveLength(2);
    expect(all.in_app_counts).toMatchObject([{ message_id: message, impressions: 2 }]);
    expect((await report(a, "dismiss", { person_id: "main" })).body.status).toBe("dismissed");
    await it.call("PATCH", "/api/v1/workspace", { body: { in_app_cap: null } });
  });

  test("an application that still has the old id reports on the messages of the person who stayed, until somebody has the id anew", async () => {
    await identify("anonymous");
    await identify("known");
    const message = await define({ persistence: { mode: "persistent_until_dismissed" } });
    const [first, second] = [await send(message, "anonymous"), await send(message, "known")];
    expect((await merge("anonymous", "known")).status).toBe(200);
    expect((await report(first, "impression", { person_id: "anonymous" })).body).toMatchObject({ recorded: true });
    const items = [first, "dlv_01kgaaaaaaaaaaaaaaaaaaaaaa", second].map((delivery_id, i) => ({
      ...{ delivery_id, type: "click", event_id: `offline-${i}` },
    }));
    const body = { person_id: "anonymous", items };
    const { results } = (await it.call("POST", `${MESSAGES}/interactions`, { key: it.publicKey, body })).body;
    expect(results.map((one: { code?: string; recorded: boolean }) => one.code ?? one.recorded)).toEqual([
      true,
      "delivery_not_found",
      true,
    ]);
    const log = (await it.call("GET", "/api/v1/people/known/activity")).body.data;
    expect(log.filter((entry: { type: string }) => entry.type === "in_app.click")).toHaveLength(2);

    await identify("anonymous");
    expect((await report(second, "dismiss", { person_id: "anonymous" })).body.code).toBe("delivery_not_found");
  });

  test("of a broadcast to both people, the delivery of the source that is still queued is canceled", async () => {
    await identify("twice");
    await identify("once");
    const message = await define();
    const [mine, theirs, alone] = [
      await send(message, "twice"),
      await send(message, "once"),
      await send(message, "twice"),
    ];
    const broadcast = async (id: string, cause: string) =>
      db.execute({
        text: "update deliveries set source = 'broadcast', source_id = $2 where id = $1",
        values: [decodeId("dlv", id), cause],
      });
    const cause = "01900000-0000-7000-8000-000000000001";
    await broadcast(mine, cause);
    await broadcast(theirs, cause);
    await broadcast(alone, "01900000-0000-7000-8000-000000000002");
    expect((await merge("twice", "once")).status).toBe(200);
    expect((await sync("once")).map((one) => one.delivery_id).sort()).toEqual([theirs, alone].sort());
    expect((await it.call("GET", `/api/v1/deliveries/${mine}`)).body).toMatchObject({
      status: "canceled",
      reason: "merged",
    });
    const activity = (await it.call("GET", "/api/v1/people/once/activity")).body.data;
    expect(activity.map((row: { type: string }) => row.type)).toContain("in_app.canceled");
  });

  test("a merge waits for deliveries that are being sent; queued ones move and are sent to their address", async () => {
    await identify("sms", { phone: "+4915112345679" });
    await identify("other");
    const later = new Date(clock.now().getTime() + 3_600_000).toISOString();
    const answer = await it.call("POST", "/data-gateway/transactionals/sms", {
      body: { identifiers: { id: "sms" }, body: "Hello", send_at: later },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    const id = decodeId("dlv", answer.body.delivery_id);
    const lease = (value: string | null) =>
      db.execute({
        text: "update deliveries set lease_id = $2, due_at = now() + interval '50 seconds' where id = $1",
        values: [id, value],
      });
    await lease("01900000-0000-7000-8000-000000000003");
    const merging = merge("sms", "other");
    let done = false;
    void merging.then(() => {
      done = true;
    });
    await until(async () => (await person("sms")).status === 200, "the person who is not merged yet");
    // On a machine that stood still for seconds the call gave up with person_busy.
    if (done) expect((await merging).status).toBe(409);
    await lease(null);
    const first = await merging;
    expect((first.status === 409 ? await merge("sms", "other") : first).status).toBe(200);
    const row = (await held("other")).deliveries.find((one: { id: string }) => one.id === answer.body.delivery_id);
    expect(row).toMatchObject({ status: "queued", recipient: "+4915112345679" });
  });

  test("if messages are being sent for longer, the call is refused with a time to repeat it, and nothing has moved", async () => {
    await identify("busy");
    await identify("calm");
    const id = await send(await define(), "busy");
    await db.execute({
      text: `update deliveries set lease_id = $2, due_at = now() + interval '1 hour' where id = $1`,
      values: [decodeId("dlv", id), newId()],
    });
    const answer = await merge("busy", "calm");
    expect(answer).toMatchObject({ status: 409, body: { code: "person_busy" }, headers: { "retry-after": "60" } });
    expect((await held("busy")).deliveries).toHaveLength(1);
  });

  test("a message that a worker begins to send in the midst of a merge is not moved: its end could not be written, and it would be sent again", async () => {
    await identify("writing");
    await identify("reading");
    const key = personKey(it.workspaceId, "writing");
    let merging: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await tx.query({ text: "select from people where person_key = $1 for update", values: [key] });
      const whom = { workspaceId: it.workspaceId, sourceId: "writing", targetId: "reading", now: clock.now() };
      merging = expect(db.transaction((other) => mergePeople(other, ground, whom))).rejects.toThrow("are being sent");
      await until(async () => (await waitingForLocks(db)) === 1, "the merge that waits for the person", 900);
      await db.execute({
        text: `insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at, lease_id, due_at)
          values ($1, $2, $3, 'sms', 'test', 'queued', now(), $2, now() + interval '1 hour')`,
        values: [key, newId(), it.workspaceId],
      });
    });
    await merging;
    expect((await held("writing")).deliveries).toHaveLength(1);
    expect((await person("writing")).status).toBe(200);
  });

  test("refuses the same person, an unknown person, and a public key", async () => {
    await identify("real");
    expect(await merge("real", "real")).toMatchObject({ status: 422, body: { code: "same_person" } });
    for (const [from, into] of [
      ["real", "nobody"],
      ["nobody", "real"],
    ] as const)
      expect(await merge(from, into)).toMatchObject({ status: 404, body: { code: "person_not_found" } });
    for (const into of [7, "", undefined])
      expect(await merge("real", into)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect((await merge("real", "real", it.publicKey)).status).toBe(403);
    const other = await it.another();
    expect((await merge("real", "web", other.secretKey)).body.code).toBe("person_not_found");
    expect((await person("real")).status).toBe(200);
  });
});
