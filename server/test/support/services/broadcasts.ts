import { expect } from "vitest";
import { step } from "../../../src/broadcasts/fanout/fanout.ts";
import { createMissing } from "../../../src/people/index.ts";
import { sql } from "../../../src/platform/db/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { inAppService } from "./in-app.ts";

/** A service with in-app messages, and common steps of the tests of broadcasts. */
export async function broadcastService() {
  const service = await inAppService();
  const { it, clock, define } = service;
  const { ground } = it.service;

  const post = (path: string, body?: object) => it.call("POST", `/api/v1/broadcasts${path}`, body ? { body } : {});
  const read = async (id: string) => (await it.call("GET", `/api/v1/broadcasts/${id}`)).body;
  const metrics = async (id: string) => (await it.call("GET", `/api/v1/broadcasts/${id}/metrics`)).body;

  /** Creates a draft for the people of a group, so that the tests do not use each other's people. */
  async function draft(group: string, fields: object = {}): Promise<string> {
    const answer = await post("", {
      name: "Test",
      channel: "in_app",
      audience: { attribute: "group", op: "eq", value: group },
      message_id: await define(),
      ...fields,
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.body).toMatchObject({ status: "draft", progress: { total: null, done: 0 } });
    return answer.body.id;
  }

  /** Creates people of a group, many at once. */
  async function crowd(group: string, count: number): Promise<void> {
    const ids = Array.from({ length: count }, () => `${group}-${newId()}`);
    const missing = ids.map((personId) => ({ workspaceId: it.workspaceId, personId }));
    await ground.db.transaction((tx) => createMissing(tx, missing, clock.now()));
    await ground.db.execute(sql`
      update people set attributes = jsonb_build_object('group', ${group}::text) where person_id like ${`${group}-%`}`);
  }

  /** Runs all steps that are due now, each of two batches. The first step collects the audience. */
  async function work(most = Number.POSITIVE_INFINITY): Promise<number> {
    let steps = 0;
    while (steps < most && (await step(ground, 0))) steps++;
    return steps;
  }

  const deliveriesOf = async (id: string) =>
    (await it.call("GET", `/api/v1/deliveries?source_id=${id}&limit=200`)).body.data as Record<string, unknown>[];

  return { ...service, ground, post, read, metrics, draft, crowd, work, deliveriesOf };
}
