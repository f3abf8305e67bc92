import { describe, expect, test } from "vitest";
import { forgetChanges } from "../../src/workspaces/jobs.ts";
import { type Entry, everything } from "../support/changes/log.ts";
import { testService } from "../support/service.ts";

const it = await testService();

describe("the log", () => {
  test("is filtered by resource, actor, action and time, and listed in pages", async () => {
    const list = async (query: string) => (await it.call("GET", `/api/v1/audit?${query}`)).body;
    const topic = { name: "News", default: "subscribed" };
    const { id } = (await it.call("POST", "/api/v1/topics", { body: topic })).body;
    const key = (await it.call("POST", "/api/v1/api-keys", { body: { kind: "secret", name: "CI" } })).body.key;
    for (const description of ["a", "b", "c"])
      await it.call("PATCH", `/api/v1/topics/${id}`, { key, body: { description } });
    const all = await everything(it);
    const first = await list("limit=2");
    const second = await list(`limit=2&cursor=${first.next_cursor}`);
    expect([...first.data, ...second.data]).toEqual(all.slice(0, 4));
    const { actor, at } = all[1] as Entry;
    for (const [query, keeps] of [
      ["resource=topic", (entry: Entry) => entry.resource.type === "topic"],
      [`actor=${actor.id}`, (entry: Entry) => entry.actor.id === actor.id],
      ["action=topic.changed", (entry: Entry) => entry.action === "topic.changed"],
      [`since=${at}`, (entry: Entry) => entry.at >= at],
      [`until=${at}`, (entry: Entry) => entry.at < at],
    ] as const) {
      const found = (await list(`limit=200&${query}`)).data;
      expect(found, query).toEqual(all.filter(keeps));
      expect([0, all.length], `${query} keeps some`).not.toContain(found.length);
    }
    expect((await it.call("GET", "/api/v1/audit?since=yesterday")).status).toBe(400);
    const other = await it.another();
    expect((await it.call("GET", "/api/v1/audit", { key: other.secretKey })).body.data).toEqual([]);
  });

  test("is kept for a year, or as `retention.audit` says", async () => {
    const { ground } = it.service;
    const now = new Date(Date.now() + 364 * 86_400_000);
    const before = (await everything(it)).length;
    await forgetChanges({ workDb: ground.workDb, clock: { now: () => now } });
    expect((await everything(it)).length).toBe(before);
    await it.call("PATCH", "/api/v1/workspace", { body: { retention: { audit: 300 } } });
    await forgetChanges({ workDb: ground.workDb, clock: { now: () => now } });
    expect(await everything(it)).toEqual([]);
  });
});
