import { expect, test } from "vitest";
import type { Ground } from "../platform/ground.ts";
import { newId } from "../platform/ids.ts";
import { NOT_TRACED } from "../platform/tracing/index.ts";
import { createSender } from "./sender.ts";
import type { WebhookRow } from "./store.ts";

// A sender whose calls never end, as those to endpoints that hang.

function hanging() {
  const ground = {
    traces: NOT_TRACED,
    clock: { now: () => new Date() },
    seal: { open: () => "" },
    fetchOut: () => new Promise(() => {}),
  };
  const sender = createSender(ground as unknown as Ground, () => {});
  const held = new Map<string, number>();
  /** Returns endpoints of a new workspace. */
  const endpoints = (count: number) => {
    const workspace_id = newId();
    return Array.from({ length: count }, () => ({ id: newId(), workspace_id, url: "http://127.0.0.1/" }) as WebhookRow);
  };
  const heldOf = (hooks: WebhookRow[]) => hooks.reduce((sum, { id }) => sum + (held.get(id) ?? 0), 0);
  /** Takes deliveries until there is no more room. */
  function fill(hooks: WebhookRow[]): number {
    for (let rooms = sender.rooms(hooks); rooms.length > 0; rooms = sender.rooms(hooks))
      for (const { id: webhookId, room } of rooms) {
        const hook = hooks.find(({ id }) => id === webhookId) as WebhookRow;
        const claimed = Array.from({ length: room }, () => ({
          workspaceId: hook.workspace_id,
          webhookId,
          eventId: newId(),
          payload: "{}",
          attempts: 0,
          leaseId: newId(),
        }));
        sender.take(hook, claimed, performance.now());
        held.set(webhookId, (held.get(webhookId) ?? 0) + room);
      }
    return heldOf(hooks);
  }
  return { endpoints, fill, held };
}

test("fifty endpoints that hang fill only their workspace's share, and each has a part of it", () => {
  const { endpoints, fill, held } = hanging();
  const hooks = endpoints(50);
  expect(fill(hooks)).toBe(128);
  expect(Math.min(...hooks.map(({ id }) => held.get(id) ?? 0))).toBeGreaterThan(0);
  expect(fill(endpoints(1))).toBe(32);
});

test("one endpoint fills its own share only", () => {
  const { endpoints, fill } = hanging();
  const [slow, quick] = endpoints(2) as [WebhookRow, WebhookRow];
  expect(fill([slow])).toBe(32);
  expect(fill([quick])).toBe(32);
});

test("for any number of workspaces that hang another one finds room, and there are never more deliveries than the sender holds", () => {
  const { endpoints, fill } = hanging();
  let held = 0;
  for (let i = 0; i < 7; i++) held += fill(endpoints(50));
  expect(held).toBeLessThan(512);
  expect(fill(endpoints(1))).toBeGreaterThan(0);
  for (let i = 0; i < 30; i++) held += fill(endpoints(50));
  expect(held).toBeLessThanOrEqual(512);
});
