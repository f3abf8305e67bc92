import { describe, expect, test } from "vitest";
import { broadcastService } from "../../test/support/services/broadcasts.ts";
import { sql } from "../platform/db/index.ts";
import { decodeId } from "../platform/ids.ts";

const { it, clock, ground, identify, define, sync, report, post, read, metrics, draft, crowd, work, deliveriesOf } =
  await broadcastService();

describe("a broadcast", () => {
  test("reaches each person of its audience once, with the version from the start of sending", async () => {
    for (const name of ["ann", "ben"]) await identify(name, { group: "one", name });
    await identify("other", { group: "two" });
    const message = await define({ body: "Hello {{person.name}}" });
    const id = await draft("one", { message_id: message });
    expect((await post(`/${id}/send`)).body).toMatchObject({ status: "sending", message_version: 1 });
    await it.call("PATCH", `/api/v1/in-app-messages/${message}`, { body: { body: "Changed" } });
    clock.forward(1_000);
    await identify("late", { group: "one" });
    await work();
    expect(await read(id)).toMatchObject({ status: "sent", progress: { total: 2, done: 2 }, message_version: 1 });
    expect(await sync("ann")).toMatchObject([{ content: { body: "Hello ann" } }]);
    expect(await sync("ben")).toMatchObject([{ content: { body: "Hello ben" } }]);
    expect(await sync("late")).toEqual([]);
    expect(await sync("other")).toEqual([]);
    expect(await deliveriesOf(id)).toMatchObject([{ source: "broadcast" }, { source: "broadcast" }]);
  });

  test("counts the results from the rows that the log shows", async () => {
    for (const name of ["m1", "m2", "m3"]) await identify(name, { group: "metrics" });
    await it.call("PATCH", "/api/v1/people/m3/subscriptions", { body: { subscribed: false } });
    const id = await draft("metrics");
    await post(`/${id}/send`);
    await work();
    const [shown] = await sync("m1");
    await report(shown?.delivery_id ?? "", "impression", { person_id: "m1" });
    await report(shown?.delivery_id ?? "", "click", { person_id: "m1" });
    expect(await metrics(id)).toMatchObject({ sent: 2, delivered: 1, shown: 1, clicked: 1, dismissed: 0, failed: 1 });
    expect(await deliveriesOf(id)).toHaveLength(3);
    expect((await deliveriesOf(id)).filter(({ status }) => status === "failed")).toMatchObject([
      { person_id: "m3", reason: "unsubscribed" },
    ]);
  });

  test("to nobody is sent at once", async () => {
    const id = await draft("nobody");
    await post(`/${id}/send`, { allow_empty: true });
    await work();
    expect(await read(id)).toMatchObject({ status: "sent", progress: { total: 0, done: 0 } });
  });

  test("whose content can't be rendered for one person reaches the others, and tells why", async () => {
    await identify("r1", { group: "render", amount: 3 });
    await identify("r2", { group: "render", amount: 1_000_000_000 });
    const endless = "{% for i in (1..person.amount) %}{{ i }}{% endfor %}";
    const id = await draft("render", { message_id: await define({ body: endless }) });
    await post(`/${id}/send`);
    await work();
    const found = await deliveriesOf(id);
    expect(found.find(({ person_id }) => person_id === "r1")).toMatchObject({ status: "queued", reason: null });
    expect(found.find(({ person_id }) => person_id === "r2")).toMatchObject({
      status: "failed",
      reason: expect.any(String),
    });
    expect(await read(id)).toMatchObject({ status: "sent", progress: { total: 2, done: 2 } });
  });

  test("with Liquid that must be rendered in a thread reaches a whole batch", async () => {
    await crowd("heavy", 300);
    const body = "{% assign words = person.group | split: '' %}{% for w in words %}{{ w | upcase }}{% endfor %}";
    const id = await draft("heavy", { message_id: await define({ body }) });
    await post(`/${id}/send`);
    await work();
    expect(await read(id)).toMatchObject({ status: "sent", progress: { total: 300, done: 300 } });
    expect(await metrics(id)).toMatchObject({ sent: 300, failed: 0 });
  });

  test("two workers at once queue everyone exactly once", async () => {
    await crowd("pair", 3_500);
    const id = await draft("pair");
    await post(`/${id}/send`);
    await Promise.all([work(), work(), work()]);
    // A worker that finds the row locked stops, so a rest may be left for this call.
    await work();
    expect(await read(id)).toMatchObject({ status: "sent", progress: { total: 3_500, done: 3_500 } });
    expect(await metrics(id)).toMatchObject({ sent: 3_500, failed: 0 });
    const [row] = await ground.db.query<{ people: number; log: number }>(sql`
      select count(distinct person_key) as people, count(queued_txid) as log from deliveries where source_id = ${decodeId("bc", id)}`);
    expect(row).toEqual({ people: 3_500, log: 3_500 });
  });
});

describe("while a broadcast is sent", () => {
  test("a pause stops it after the batch under way, a resume continues it, and nobody is left out", async () => {
    await crowd("paused", 2_500);
    const id = await draft("paused");
    await post(`/${id}/send`);
    await work(2);
    expect(await read(id)).toMatchObject({ status: "sending", progress: { total: 2_500, done: 1_000 } });
    expect((await post(`/${id}/pause`)).body).toMatchObject({ status: "paused" });
    expect(await work()).toBe(0);
    expect(await metrics(id)).toMatchObject({ sent: 1_000 });
    expect((await it.call("DELETE", `/api/v1/broadcasts/${id}`)).body).toMatchObject({ code: "wrong_status" });
    expect((await post(`/${id}/resume`)).body).toMatchObject({ status: "sending" });
    await work();
    expect(await read(id)).toMatchObject({ status: "sent", progress: { total: 2_500, done: 2_500 } });
    expect(await metrics(id)).toMatchObject({ sent: 2_500 });
  });

  test("a cancel ends it, its deliveries stay, and it can be removed then", async () => {
    await crowd("canceled", 1_200);
    const id = await draft("canceled");
    await post(`/${id}/send`);
    await work(2);
    expect((await post(`/${id}/cancel`)).body).toMatchObject({
      status: "canceled",
      finished_at: clock.now().toISOString(),
    });
    expect(await work()).toBe(0);
    expect(await metrics(id)).toMatchObject({ sent: 1_000 });
    expect((await it.call("DELETE", `/api/v1/broadcasts/${id}`)).status).toBe(204);
    expect(await deliveriesOf(id)).toHaveLength(200);
  });

  test("a recall cancels the rest and takes back the messages that are not dismissed", async () => {
    await crowd("recalled", 1_200);
    const id = await draft("recalled");
    await post(`/${id}/send`);
    await work(2);
    expect((await post(`/${id}/recall`)).body).toEqual({ status: "canceled", recalled: 1_000, more: false });
    expect(await work()).toBe(0);
    expect((await deliveriesOf(id)).every(({ status }) => status === "canceled")).toBe(true);
  });

  test("a recall takes back no delivery of a test or of another broadcast with the same message", async () => {
    await identify("keeps", { group: "keeps" });
    const message = await define();
    const [first, second] = [
      await draft("keeps", { message_id: message }),
      await draft("keeps", { message_id: message }),
    ];
    for (const id of [first, second]) await post(`/${id}/send`);
    await work();
    await post(`/${second}/test-sends`, { person_id: "keeps" });
    expect(await sync("keeps")).toHaveLength(3);
    expect((await read(first)).recalled_at).toBeNull();
    expect((await post(`/${first}/recall`)).body).toEqual({ status: "sent", recalled: 1, more: false });
    const recalled_at = clock.now().toISOString();
    clock.forward(1_000);
    expect(await sync("keeps")).toHaveLength(2);
    expect((await post(`/${first}/recall`)).body).toEqual({ status: "sent", recalled: 0, more: false });
    expect(await read(first)).toMatchObject({ status: "sent", recalled_at });
    const listed = (await it.call("GET", "/api/v1/broadcasts?limit=200")).body.data;
    const { audience: _a, content: _c, locales: _l, variants: _v, ...summary } = await read(first);
    expect(listed.find((one: { id: string }) => one.id === first)).toEqual({ ...summary, recalled_at });
  });

  test("a rate is kept", async () => {
    await crowd("rated", 25);
    const id = await draft("rated", { rate_per_second: 10 });
    await post(`/${id}/send`);
    await work();
    const done: number[] = [];
    for (let i = 0; i < 4; i++) {
      done.push((await read(id)).progress.done);
      clock.forward(1_000);
      await work();
    }
    expect(done).toEqual([10, 20, 25, 25]);
    expect(await read(id)).toMatchObject({ status: "sent" });
  });

  test("a person who is erased meanwhile gets nothing and delays nobody", async () => {
    for (const name of ["e1", "e2"]) await identify(name, { group: "erased" });
    const id = await draft("erased");
    await post(`/${id}/send`);
    await work(1);
    expect((await it.call("DELETE", "/api/v1/people/e1")).status).toBe(204);
    await work();
    expect(await read(id)).toMatchObject({ status: "sent", progress: { total: 2, done: 2 } });
    expect(await deliveriesOf(id)).toMatchObject([{ person_id: "e2" }]);
  });

  test("it waits while its workspace is suspended", async () => {
    await identify("s1", { group: "suspended" });
    const id = await draft("suspended");
    await post(`/${id}/send`);
    const status = (name: string) =>
      ground.db.execute(sql`update workspaces set status = ${name} where id = ${it.workspaceId}`);
    await status("suspended");
    await work();
    await status("active");
    expect(await read(id)).toMatchObject({ status: "sending", progress: { done: 0 } });
    clock.forward(61_000);
    await work();
    expect(await read(id)).toMatchObject({ status: "sent", progress: { done: 1 } });
  });

  test("it is canceled with a reason when its workspace is suspended for 24 hours", async () => {
    await identify("s2", { group: "long suspended" });
    const id = await draft("long suspended");
    await post(`/${id}/send`);
    const suspended = (since: Date | null) =>
      ground.db.execute(sql`
        update workspaces set status = ${since ? "suspended" : "active"}, suspended_at = ${since} where id = ${it.workspaceId}`);
    await suspended(new Date(clock.now().getTime() - 86_400_000));
    await work();
    await suspended(null);
    expect(await read(id)).toMatchObject({ status: "canceled", reason: "workspace_suspended", progress: { done: 0 } });
    expect(await deliveriesOf(id)).toEqual([]);
  });
});
