import type { Client, EventStream } from "../connect/client.ts";
import type { DemoPerson } from "./email.ts";
import { expectStatus, expectThat, type Made, type Steps } from "./steps.ts";

const BASE = "/data-gateway/v1/in-app/messages";
const CTA = { label: "Use it now", action: "deep_link", value: "app://checkout?code=SPRING" };

/** The second half: an in-app message from its definition to its dismissal, the way an application sees it. */
export async function playInApp(client: Client, steps: Steps, person: DemoPerson, made: Made): Promise<void> {
  const { step } = steps;
  const message = await step("make a modal for checkout/*", async () => {
    const answer = await client.call("POST", "/api/v1/in-app-messages", "secret", {
      name: "Spring offer (tidings demo)",
      render_type: "modal",
      title: "Hi {{person.first_name}}",
      body: "20 % off this order, today only.",
      cta: CTA,
      priority: 75,
      screens: { include: ["checkout/*"], exclude: ["checkout/pay"] },
      persistence: { mode: "persistent_until_dismissed", max_impressions: 5 },
    });
    expectStatus(answer, 201);
    made(`/api/v1/in-app-messages/${answer.body.id}`);
    return { status: `201 version ${answer.body.version}`, value: answer.body.id as string };
  });

  const stream = await step("open the stream", async () => {
    const opened = await client.stream(`${BASE}/stream?person_id=${encodeURIComponent(person.person_id)}`);
    expectThat(opened.status === 200, "the stream should answer 200", opened.status);
    const first = await opened.line((line) => line.startsWith(":"));
    expectThat(first === ": connected", "the stream should begin with `: connected`", first);
    return { status: first, value: opened };
  });
  try {
    await showAndDismiss(client, steps, { person, message, stream });
  } finally {
    stream.close();
  }
}

async function showAndDismiss(
  client: Client,
  steps: Steps,
  { person, message, stream }: { person: DemoPerson; message: string; stream: EventStream },
) {
  const { step } = steps;
  const delivery = await step("test-send it to the person", async () => {
    const body = { person_id: person.person_id };
    const answer = await client.call("POST", `/api/v1/in-app-messages/${message}/test-sends`, "secret", body);
    expectStatus(answer, 202);
    return { status: "202 queued", value: answer.body.delivery_id as string };
  });

  await step("the sync event arrives", async () => {
    await stream.line((line) => line === "event: sync");
    const data = JSON.parse((await stream.line((line) => line.startsWith("data:"))).slice(5));
    expectThat(data.delivery_id === delivery, `the event should name ${delivery}`, data);
    return { status: "event: sync", value: undefined, show: `     data: ${JSON.stringify(data)}` };
  });

  const sync = async (screen: string) => {
    const query = new URLSearchParams({ person_id: person.person_id, screen });
    const answer = await client.call("GET", `${BASE}/sync?${query}`, "public");
    expectStatus(answer, 200);
    return answer.body as { delivery_id: string; content: { title: string }; ctas: { id: string }[] }[];
  };
  const shown = await step("sync on checkout/cart, which matches", async () => {
    const messages = await sync("checkout/cart");
    const [first] = messages;
    expectThat(messages.length === 1 && first?.delivery_id === delivery, "sync should give this one message", messages);
    expectThat(first?.content.title === "Hi Ada", "its title should be rendered for Ada", first);
    const show = JSON.stringify(first, null, 2).replaceAll(/^/gm, "     ");
    return { status: "200 1 message", value: first, show };
  });
  await step("sync on home, which does not match", async () => {
    const messages = await sync("home");
    expectThat(messages.length === 0, "sync should give nothing here", messages);
    return { status: "200 no message", value: undefined };
  });

  const report = (kind: string, status: string, more: object) =>
    step(kind, async () => {
      const body = { person_id: person.person_id, screen: "checkout/cart", platform: "web", ...more };
      const answer = await client.call("POST", `${BASE}/${delivery}/${kind}`, "public", body);
      expectStatus(answer, 200);
      expectThat(
        answer.body.status === status && answer.body.recorded === true,
        `the delivery should be ${status} and the ${kind} recorded`,
        answer.body,
      );
      return { status: `200 ${status}`, value: undefined };
    });
  await report("impression", "shown", {});
  await report("click", "shown", { action_id: shown?.ctas[0]?.id });
  await report("dismiss", "dismissed", { reason: "demo" });
  await step("sync again", async () => {
    const messages = await sync("checkout/cart");
    expectThat(messages.length === 0, "a dismissed message should not come again", messages);
    return { status: "200 no message", value: undefined };
  });
}
