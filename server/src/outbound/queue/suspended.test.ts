import { expect, onTestFinished, test } from "vitest";
import { testService } from "../../../test/support/service.ts";
import { until } from "../../../test/support/wait.ts";
import { sql } from "../../platform/db/index.ts";
import { byCommand, setSuspended } from "../../workspaces/index.ts";
import { cancelLongSuspended } from "./suspended.ts";

// The deliveries of a suspended workspace.

const it = await testService({ roles: "api,worker" });
const { ground } = it.service;
const { db } = ground;

async function workspace() {
  const made = await it.another();
  const origin = byCommand(made.workspaceId, "test");
  const suspended = (yes: boolean) => db.transaction((tx) => setSuspended(tx, origin, yes, new Date()));
  const send = async (more: object = {}): Promise<string> => {
    const body = {
      identifiers: { email: "ada@example.test" },
      subject: "S",
      body: "B",
      from: "a@example.test",
      ...more,
    };
    const answer = await it.call("POST", "/data-gateway/transactionals/email", { key: made.secretKey, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    return answer.body.delivery_id;
  };
  const log = async (id: string) => (await it.call("GET", `/api/v1/deliveries/${id}`, { key: made.secretKey })).body;
  const ended = (id: string, status: string) => until(async () => (await log(id)).status === status, `${id} ${status}`);
  return { ...made, suspended, send, log, ended };
}
const ahead = (ms: number) => ({ send_at: new Date(Date.now() + ms).toISOString() });
/** As if its time had come. */
const dueNow = (workspaceId: string) =>
  db.execute(sql`update deliveries set due_at = now() where workspace_id = ${workspaceId} and due_at is not null`);

test("a delivery waits when its time comes, while other workspaces send, and is sent when the workspace is resumed", async () => {
  const [acme, other] = [await workspace(), await workspace()];
  const held = await acme.send(ahead(3_600_000));
  await acme.suspended(true);
  await dueNow(acme.workspaceId);
  // It is due later than the suspended one, so the claim of it has passed over that.
  const theirs = await other.send(ahead(3_600_000));
  await dueNow(other.workspaceId);
  await other.ended(theirs, "sent");
  await cancelLongSuspended(ground);
  await acme.suspended(false);
  expect((await acme.log(held)).events.map((event: { type: string }) => event.type)).not.toContain("email.canceled");
  await acme.ended(held, "sent");
});

test("a delivery is canceled when the suspension has lasted 24 hours, also one that is due far ahead, and only in this workspace", async () => {
  const [acme, other] = [await workspace(), await workspace()];
  const far = [await acme.send(ahead(3_600_000)), await acme.send(ahead(20 * 86_400_000))];
  const theirs = await other.send(ahead(3_600_000));
  await acme.suspended(true);
  const since = (hours: number) =>
    db.execute(
      sql`update workspaces set suspended_at = now() - ${hours}::float8 * interval '1 hour' where id = ${acme.workspaceId}`,
    );
  await since(23.9);
  // To suspend it again does not change since when it is suspended.
  await acme.suspended(true);
  await cancelLongSuspended(ground);
  const status = async () =>
    (
      await db.query<{ status: string }>(
        sql`select status from deliveries where workspace_id = ${acme.workspaceId} order by id`,
      )
    ).map((row) => row.status);
  expect(await status()).toEqual(["queued", "queued"]);
  await since(24);
  await cancelLongSuspended(ground);
  await acme.suspended(false);
  for (const id of far) {
    const log = await acme.log(id);
    expect(log).toMatchObject({ status: "canceled", reason: "workspace_suspended" });
    expect(log.events.at(-1)).toMatchObject({ type: "email.canceled", data: { reason: "workspace_suspended" } });
  }
  expect((await other.log(theirs)).status).toBe("queued");
});

test("a delivery that waits in memory for its provider's rate goes back to the table, and is not handed over", async () => {
  const acme = await workspace();
  const made = await it.call("POST", "/api/v1/providers", {
    key: acme.secretKey,
    body: { channel: "email", kind: "local", name: "slow", rate_per_second: 0.01 },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  onTestFinished(() => acme.suspended(false).then(() => {}));
  const sent = [await acme.send(), await acme.send(), await acme.send()];
  const states = async () =>
    await db.query<{ status: string; held: boolean }>(
      sql`select status, lease_id is not null as held from deliveries where workspace_id = ${acme.workspaceId} order by id`,
    );
  await until(async () => (await states()).some((row) => row.status === "sent"), "the first of them sent");
  await acme.suspended(true);
  await until(async () => (await states()).every((row) => !row.held), "nothing being leased any more");
  expect((await states()).filter((row) => row.status === "queued")).toHaveLength(sent.length - 1);
});
