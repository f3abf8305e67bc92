import type { Step } from "@tidings/contract/campaigns/steps";
import { expect } from "vitest";
import type { Published } from "../../../src/campaigns/definition/published.ts";
import { feedback } from "../../../src/outbound/index.ts";
import { decodeId } from "../../../src/platform/ids.ts";
import { engineService } from "../services/engine.ts";

export const HOUR = 3_600_000;

export const hours = (amount: number) => ({ amount, unit: "hours" as const });

export const push = { channel: "push" as const, content: { title: "Late", message: "Order {{trigger.order}}" } };

export const email = { channel: "email" as const, content: { subject: "Late", body: "Order {{trigger.order}}" } };

export const fork: Step = {
  id: "fork",
  type: "branch",
  if: { step: "alert", op: "seen" },
  then: [{ id: "was", type: "exit" }],
};

export type Row = Record<"step_id" | "step_position" | "channel", unknown>;

interface Message {
  channel: string;
  status: string;
  delivery_id: string;
  reason?: string;
}

/** An engine whose campaigns send a message by one channel after another, with common steps of its tests. */
export async function escalatingEngine() {
  const engine = await engineService();
  const { it, clock, identify, define, begin, settle, passagesOf } = engine;
  const { ground } = it.service;
  await it.call("PATCH", "/api/v1/workspace", { body: { sender_defaults: { email_from: "shop@acme.test" } } });
  const popup = await define();
  const card = await define({ render_type: "inbox_card" });
  const alert = (own: object = {}): Step =>
    ({
      id: "alert",
      type: "message",
      channel: "in_app",
      message_id: popup,
      escalate: [
        { after: hours(2), ...push },
        { after: hours(24), ...email },
      ],
      ...own,
    }) as Step;

  let people = 0;
  /** A person whom every channel reaches. */
  async function person(): Promise<string> {
    const id = `p${people++}`;
    await identify(id, { email: `${id}@acme.test` });
    const device = { person_id: id, platform: "android", token: `token-${id}` };
    expect((await it.call("PUT", "/data-gateway/v1/devices", { body: device })).status).toBeLessThan(300);
    return id;
  }
  async function enter(of: Published): Promise<{ who: string; run: string }> {
    const who = await person();
    const [run = ""] = await begin(of, [who], { order: "o1" });
    await settle();
    return { who, run };
  }
  const messages = async (run: string): Promise<Message[]> =>
    ((await passagesOf(run)).find(({ step_id }) => step_id === "alert")?.detail?.messages ?? []) as Message[];
  const told = async (run: string) =>
    (await messages(run)).map(({ channel, status, reason }) => [channel, status, reason].filter(Boolean).join(" "));
  const delivery = async (run: string, position: number) => (await messages(run))[position]?.delivery_id ?? "";
  /** What a provider or a recipient reports about a delivery. */
  const hear = (deliveryId: string, kind: "opened" | "clicked" | "bounced", own: object = {}) =>
    ground.db.transaction((tx) =>
      feedback(tx, ground, [
        {
          workspaceId: it.workspaceId,
          deliveryId: decodeId("dlv", deliveryId) ?? "",
          kind,
          at: clock.now(),
          ...own,
        } as Parameters<typeof feedback>[2][number],
      ]),
    );
  const status = async (id: string) => {
    const { body } = await it.call("GET", `/api/v1/deliveries/${id}`);
    return [body.status, body.reason].filter(Boolean).join(" ");
  };
  return { ...engine, engine, ground, popup, card, alert, person, enter, told, delivery, hear, status };
}
