import { describe, expect, test } from "vitest";
import { inAppService } from "../../../test/support/services/in-app.ts";
import { until } from "../../../test/support/wait.ts";
import { mergesSince } from "../../people/index.ts";
import { sql } from "../../platform/db/index.ts";
import { personKey } from "../../workspaces/index.ts";
import { step } from "../fanout/fanout.ts";

// People who are merged while a broadcast is sent.

const { it, clock, identify, define, sync, report } = await inAppService();
const { ground } = it.service;
const merge = (from: string, into: string) => it.call("POST", `/api/v1/people/${from}/merge`, { body: { into } });
const byKey = (ids: string[]) => ids.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
const key = (id: string) => personKey(it.workspaceId, id);

/** Starts a broadcast to a group, with one person in each batch, and collects its audience. */
async function collected(
  group: string,
): Promise<{ id: string; next: () => Promise<boolean>; rest: () => Promise<void> }> {
  const created = await it.call("POST", "/api/v1/broadcasts", {
    body: {
      name: "Test",
      channel: "in_app",
      audience: { attribute: "group", op: "eq", value: group },
      message_id: await define(),
      rate_per_second: 1,
    },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { id } = created.body;
  await it.call("POST", `/api/v1/broadcasts/${id}/send`);
  await step(ground);
  expect((await it.call("GET", `/api/v1/broadcasts/${id}`)).body.progress).toMatchObject({ done: 0 });
  const next = () => {
    clock.forward(1_000);
    return step(ground);
  };
  return {
    id,
    next,
    async rest() {
      while (await next());
      expect((await it.call("GET", `/api/v1/broadcasts/${id}`)).body.status).toBe("sent");
    },
  };
}

const deliveriesOf = async (id: string) =>
  (await it.call("GET", `/api/v1/deliveries?source_id=${id}&limit=200`)).body.data as {
    id: string;
    person_id: string;
    status: string;
  }[];

describe("a person who is merged while a broadcast is sent", () => {
  test("gets no second copy if the person who is gone got theirs", async () => {
    const [first, second] = byKey(["had", "stays"]) as [string, string];
    for (const id of [first, second]) await identify(id, { group: "had" });
    const broadcast = await collected("had");
    await broadcast.next();
    expect(await deliveriesOf(broadcast.id)).toMatchObject([{ person_id: first }]);
    expect((await merge(first, second)).status).toBe(200);
    await broadcast.rest();
    expect(await deliveriesOf(broadcast.id)).toMatchObject([{ person_id: second }]);
    expect(await sync(second)).toHaveLength(1);
  });

  test("gets a copy if only the person who is gone was a recipient, also through another merge", async () => {
    const [first, gone] = byKey(["f1", "f2"]) as [string, string];
    for (const id of [first, gone]) await identify(id, { group: "meant" });
    for (const id of ["between", "end"]) await identify(id);
    const broadcast = await collected("meant");
    await broadcast.next();
    expect((await merge(gone, "between")).status).toBe(200);
    expect((await merge("between", "end")).status).toBe(200);
    await broadcast.rest();
    expect((await deliveriesOf(broadcast.id)).map((one) => one.person_id).toSorted()).toEqual(
      ["end", first].toSorted(),
    );
  });

  test("gets one if of two people who are gone one got a copy and the other would have got one", async () => {
    const [first, second] = byKey(["g1", "g2"]) as [string, string];
    for (const id of [first, second]) await identify(id, { group: "both" });
    await identify("survivor");
    const broadcast = await collected("both");
    await broadcast.next();
    for (const id of [first, second]) expect((await merge(id, "survivor")).status).toBe(200);
    await broadcast.rest();
    expect(await deliveriesOf(broadcast.id)).toMatchObject([{ person_id: "survivor" }]);
  });

  test("is not replaced by a new person with the id that is gone", async () => {
    const [first, gone] = byKey(["n1", "n2"]) as [string, string];
    for (const id of [first, gone]) await identify(id, { group: "new" });
    await identify("keeper");
    const broadcast = await collected("new");
    await broadcast.next();
    expect((await merge(gone, "keeper")).status).toBe(200);
    clock.forward(1_000);
    await identify(gone, { group: "new" });
    await broadcast.rest();
    expect((await deliveriesOf(broadcast.id)).map((one) => one.person_id).toSorted()).toEqual(
      ["keeper", first].toSorted(),
    );
    expect(await sync(gone)).toEqual([]);
  });

  test("keeps the copy that was shown, and not the one that waits to be shown", async () => {
    for (const id of ["shown", "waits"]) await identify(id, { group: "seen" });
    const broadcast = await collected("seen");
    await broadcast.rest();
    const [seen] = await sync("shown");
    await report(seen?.delivery_id ?? "", "dismiss", { person_id: "shown" });
    const [unseen] = await sync("waits");
    expect((await merge("shown", "waits")).status).toBe(200);
    expect(await sync("waits")).toEqual([]);
    expect(new Map((await deliveriesOf(broadcast.id)).map((one) => [one.id, one.status]))).toEqual(
      new Map([
        [seen?.delivery_id, "dismissed"],
        [unseen?.delivery_id, "canceled"],
      ]),
    );
  });

  test("is merged only after the batch under way", async () => {
    for (const id of ["w1", "w2"]) await identify(id);
    let merging: ReturnType<typeof merge> | undefined;
    await ground.db.transaction(async (tx) => {
      expect(await mergesSince(tx, it.workspaceId, [key("w1"), key("w2")], clock.now())).toEqual([]);
      merging = merge("w1", "w2");
      const waiting = sql`
        select 1 from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`;
      await until(async () => (await ground.workDb.query(waiting)).length > 0, "the merge waiting");
      expect(await mergesSince(tx, it.workspaceId, [key("w1"), key("w2")], clock.now())).toEqual([]);
    });
    expect((await merging)?.status).toBe(200);
    const merges = await ground.db.transaction((tx) => mergesSince(tx, it.workspaceId, [key("w1")], clock.now()));
    expect(merges).toEqual([{ from: key("w1"), into: key("w2") }]);
  });

  test("is not merged if a batch takes too long: the answer is 409, and nothing changes", async () => {
    for (const id of ["b1", "b2"]) await identify(id);
    await ground.db.transaction(async (tx) => {
      await mergesSince(tx, it.workspaceId, [key("b1")], clock.now());
      // The call tries six times, for a second each, and waits 3.75 s in all between them.
      expect(await merge("b1", "b2")).toMatchObject({
        status: 409,
        body: { code: "person_busy", detail: expect.stringMatching(/broadcast/) },
        headers: { "retry-after": "60" },
      });
    });
    expect((await it.call("GET", "/api/v1/people/b1")).status).toBe(200);
    expect((await merge("b1", "b2")).status).toBe(200);
  });
});
