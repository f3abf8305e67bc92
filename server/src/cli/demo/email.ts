import { setTimeout as sleep } from "node:timers/promises";
import { type Client, PATIENCE_MS } from "../connect/client.ts";
import { Refused } from "../terminal/refused.ts";
import { expectStatus, expectThat, type Made, type Steps } from "./steps.ts";

const TRIGGER = "order_confirmation";
const TOMORROW_MS = 86_400_000;
const definition = {
  name: "Order confirmation (tidings demo)",
  subscription_preference: "subscribed",
  channel: "email",
  content: {
    from: "Tidings demo <orders@example.com>",
    subject: "Order {{trigger.order_id}} is confirmed, {{person.first_name}}",
    body: "<h1>Thank you, {{person.first_name}}!</h1>\n<p>Your order {{trigger.order_id}} of {{trigger.total}} is on its way.</p>",
  },
};

export interface DemoPerson {
  person_id: string;
  email: string;
}

/**
 * Plays the first half of the main job: a transactional, triggered by its name, and its email. If the workspace has a real provider, nothing
 * is sent by it: the email is queued for tomorrow, checked and canceled.
 */
export async function playEmail(client: Client, { step }: Steps, person: DemoPerson, made: Made): Promise<void> {
  const captures = await onlyCaptures(client);
  const name = await step("make the transactional", () => transactional(client, made));
  const order = `A-${person.person_id.slice(-6)}`;
  const later = captures ? {} : { send_at: new Date(Date.now() + TOMORROW_MS).toISOString() };

  const delivery = await step(`trigger ${name} for ${person.email}`, async () => {
    const answer = await client.call("POST", "/data-gateway/transactionals/email", "secret", {
      transactional_message_id: name,
      identifiers: { id: person.person_id },
      message_data: { order_id: order, total: "€42.00" },
      ...later,
    });
    expectStatus(answer, 202);
    expectThat(answer.body.status === "queued", "the email should be queued", answer.body);
    expectThat(answer.body.person_id === person.person_id, "it should go to the person just identified", answer.body);
    return { status: `202 ${answer.body.status}`, value: answer.body.delivery_id as string };
  });

  const subject = `Order ${order} is confirmed, Ada`;
  const rendered = (message: unknown) =>
    expectThat(JSON.stringify(message).includes(subject), "the subject should be rendered for Ada", message);
  if (captures) {
    await step("the captured email", async () => {
      const message = await captured(client, person.email, delivery);
      rendered(message);
      return { status: "captured", value: undefined, show: letter(message) };
    });
    return;
  }
  await step("take the email back, because a real provider is set", async () => {
    const waiting = await client.call("GET", `/api/v1/deliveries/${delivery}`, "secret");
    expectStatus(waiting, 200);
    rendered(waiting.body.content);
    const answer = await client.call("POST", `/api/v1/deliveries/${delivery}/cancel`, "secret");
    expectStatus(answer, 200);
    return { status: "canceled, sent to nobody", value: undefined, show: `     Subject: ${subject}` };
  });
}

/** Whether emails are only captured: the workspace has no email provider except the local one. */
export async function onlyCaptures(client: Client): Promise<boolean> {
  const answer = await client.call("GET", "/api/v1/providers?limit=200", "secret");
  expectStatus(answer, 200);
  const providers = answer.body.data as { channel: string; kind: string }[];
  return providers.every(({ channel, kind }) => channel !== "email" || kind === "local");
}

async function transactional(client: Client, made: Made): Promise<{ status: string; value: string }> {
  const create = (trigger: string) =>
    client.call("POST", "/api/v1/transactionals", "secret", { ...definition, trigger_name: trigger });
  const first = await create(TRIGGER);
  // The user's own transactional with this name is not changed.
  const answer = first.status === 409 ? await create(`${TRIGGER}_demo_${Date.now().toString(36)}`) : first;
  expectStatus(answer, 201);
  made(`/api/v1/transactionals/${answer.body.id}`);
  return { status: `201 ${answer.body.trigger_name}`, value: answer.body.trigger_name };
}

/** Waits until the outbox has the email of a delivery. @throws Refused */
export async function captured(client: Client, email: string, deliveryId: string): Promise<Record<string, unknown>> {
  const path = `/api/v1/outbox?channel=email&recipient=${encodeURIComponent(email)}`;
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(50)) {
    const answer = await client.call("GET", path, "secret");
    expectStatus(answer, 200);
    const found = answer.body.data.find((row: { delivery_id: string }) => row.delivery_id === deliveryId);
    if (found) return found;
  }
  const delivery = (await client.call("GET", `/api/v1/deliveries/${deliveryId}`, "secret")).body;
  throw new Refused(
    `the email did not come to the outbox; its delivery is ${delivery?.status} by ${delivery?.provider ?? "no provider"}` +
      `${delivery?.reason ? ` (${delivery.reason})` : ""}. Is no worker running?`,
  );
}

/** Returns the parts of a captured email that a person reads. */
function letter({ message }: Record<string, unknown>): string {
  const { from, to, subject, text, html } = message as Record<string, string | { name?: string; address: string }>;
  const mailbox = (one: typeof from) => (typeof one === "object" ? `${one.name ?? ""} <${one.address}>`.trim() : one);
  const lines = [`From: ${mailbox(from)}`, `To: ${mailbox(to)}`, `Subject: ${subject}`, "", `${text}`, "", `${html}`];
  return lines.join("\n").replaceAll(/^/gm, "     ");
}
