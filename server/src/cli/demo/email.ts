import { setTimeout as sleep } from "node:timers/promises";
import { Refused } from "../refused.ts";
import { type Client, PATIENCE_MS } from "../client.ts";
import { expectStatus, expectThat, type Steps } from "./steps.ts";

const TRIGGER = "order_confirmation";
const NAME = "Order confirmation (tidings demo)";
const definition = {
  name: NAME,
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

/** The first half of the main job: a transactional, triggered by its name, and the email that came of it. */
export async function playEmail(client: Client, { step }: Steps, person: DemoPerson): Promise<void> {
  const name = await step("make the transactional", () => transactional(client));
  const order = `A-${person.person_id.slice(-6)}`;

  const delivery = await step(`trigger ${name} for ${person.email}`, async () => {
    const answer = await client.call("POST", "/data-gateway/transactionals/email", "secret", {
      transactional_message_id: name,
      identifiers: { email: person.email },
      message_data: { order_id: order, total: "€42.00" },
    });
    expectStatus(answer, 202);
    expectThat(answer.body.status === "queued", "the email should be queued", answer.body);
    expectThat(answer.body.person_id === person.person_id, "it should go to the person just identified", answer.body);
    return { status: `202 ${answer.body.status}`, value: answer.body.delivery_id as string };
  });

  await step("the captured email", async () => {
    const message = await captured(client, person.email, delivery);
    const text = JSON.stringify(message);
    expectThat(text.includes(`Order ${order} is confirmed, Ada`), "the subject should be rendered for Ada", message);
    return { status: "captured", value: undefined, show: letter(message) };
  });
}

/** Makes it, or brings the one of an earlier demo up to date. One of the user's own with this name stays as it is. */
async function transactional(client: Client): Promise<{ status: string; value: string }> {
  const made = await client.call("POST", "/api/v1/transactionals", "secret", { ...definition, trigger_name: TRIGGER });
  if (made.status !== 409) {
    expectStatus(made, 201);
    return { status: `201 ${made.body.trigger_name}`, value: TRIGGER };
  }
  const list = await client.call("GET", "/api/v1/transactionals?limit=200", "secret");
  expectStatus(list, 200);
  const before = list.body.data.find((row: { trigger_name: string | null }) => row.trigger_name === TRIGGER);
  if (before?.name === NAME) {
    expectStatus(
      await client.call("PATCH", `/api/v1/transactionals/${before.id}`, "secret", { content: definition.content }),
      200,
    );
    return { status: "200 was there", value: TRIGGER };
  }
  const other = `${TRIGGER}_demo_${Date.now().toString(36)}`;
  expectStatus(
    await client.call("POST", "/api/v1/transactionals", "secret", { ...definition, trigger_name: other }),
    201,
  );
  return { status: `201 ${other}`, value: other };
}

async function captured(client: Client, email: string, deliveryId: string): Promise<Record<string, unknown>> {
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
      `${delivery?.reason ? ` (${delivery.reason})` : ""}. The demo needs the local provider: is another one set, or no worker running?`,
  );
}

/** The parts of a captured email that a person looks at. */
function letter({ message }: Record<string, unknown>): string {
  const { from, to, subject, text, html } = message as Record<string, string | { name?: string; address: string }>;
  const mailbox = (one: typeof from) => (typeof one === "object" ? `${one.name ?? ""} <${one.address}>`.trim() : one);
  const lines = [`From: ${mailbox(from)}`, `To: ${mailbox(to)}`, `Subject: ${subject}`, "", `${text}`, "", `${html}`];
  return lines.join("\n").replaceAll(/^/gm, "     ");
}
