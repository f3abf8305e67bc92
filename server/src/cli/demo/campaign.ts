import { setTimeout as sleep } from "node:timers/promises";
import { type Client, PATIENCE_MS } from "../connect/client.ts";
import { Refused } from "../terminal/refused.ts";
import { captured, type DemoPerson, onlyCaptures } from "./email.ts";
import { expectStatus, expectThat, type Made, type Steps } from "./steps.ts";

/** No campaign of the workspace listens to it. */
const EVENT = "tidings_demo_signed_up";

interface Passage {
  step_id: string;
  left_at: string;
  way: string | null;
  delivery_id: string | null;
}
interface PassedRun {
  entered_at: string;
  history: Passage[];
}

/**
 * Plays a campaign: an event lets the person in, and the run passes two messages, a wait and a branch. If the workspace has a real provider
 * of emails, the messages are in-app messages, which only the person's application could show.
 */
export async function playCampaign(client: Client, { step }: Steps, person: DemoPerson, made: Made): Promise<void> {
  const captures = await onlyCaptures(client);
  const campaign = await step("make the campaign Welcome", async () => {
    const message = captures ? email : (subject: string) => inAppMessage(client, subject, made);
    const answer = await client.call("POST", "/api/v1/campaigns", "secret", {
      name: "Welcome (tidings demo)",
      trigger: { type: "event", name: EVENT },
      steps: [
        { id: "hello", type: "message", ...(await message("Welcome, {{person.first_name}}")) },
        { id: "settle", type: "wait", for: { amount: 1, unit: "seconds" } },
        {
          id: "plan",
          type: "branch",
          if: { trigger: "plan", op: "eq", value: "pro" },
          // biome-ignore lint/suspicious/noThenProperty: the name in the contract
          then: [{ id: "tour", type: "message", ...(await message("A tour of {{trigger.plan}}")) }],
          else: [{ id: "offer", type: "message", ...(await message("Try pro")) }],
        },
      ],
    });
    expectStatus(answer, 201);
    made(`/api/v1/campaigns/${answer.body.id}`, "archive");
    const words = (answer.body.summary as { depth: number; text: string }[]).map(
      ({ depth, text }) => `     ${"  ".repeat(depth)}${text}`,
    );
    return { status: `201 ${answer.body.status}`, value: answer.body.id as string, show: words.join("\n") };
  });

  await step("activate it", async () => {
    const answer = await client.call("POST", `/api/v1/campaigns/${campaign}/activate`, "secret");
    expectStatus(answer, 200);
    return { status: `200 ${answer.body.status}, version ${answer.body.published.version}`, value: undefined };
  });

  await step(`track ${EVENT} with the plan pro`, async () => {
    const body = { person_id: person.person_id, eventName: EVENT, properties: { plan: "pro" } };
    const answer = await client.call("POST", "/data-gateway/v1/track", "secret", body);
    expectStatus(answer, 200, 202);
    return { status: `${answer.status} recorded`, value: undefined };
  });

  await step("the run passes its steps", async () => {
    const run = await completedRun(client, campaign, person);
    const passed = run.history.map(({ step_id }) => step_id).join(" ");
    expectThat(passed === "hello settle plan tour", "it should pass hello, settle, plan and tour", passed);
    const told: string[] = [];
    for (const passage of run.history) {
      const after = (Date.parse(passage.left_at) - Date.parse(run.entered_at)) / 1_000;
      told.push(
        `     after ${after.toFixed(1)} s, ${passage.step_id}: ${await sentence(client, passage, person, captures)}`,
      );
    }
    return { status: "completed", value: undefined, show: told.join("\n") };
  });
}

const email = async (subject: string) => ({
  channel: "email",
  content: { from: "Tidings demo <hello@example.com>", subject, body: "<p>Hello {{person.first_name}}.</p>" },
});

async function inAppMessage(client: Client, title: string, made: Made) {
  const body = { name: `${title} (tidings demo)`, render_type: "banner", title, body: "Hello {{person.first_name}}." };
  const answer = await client.call("POST", "/api/v1/in-app-messages", "secret", body);
  expectStatus(answer, 201);
  made(`/api/v1/in-app-messages/${answer.body.id}`);
  return { channel: "in_app", message_id: answer.body.id as string };
}

/** Waits until the person's run of the campaign has ended, and returns it with its history. @throws Refused */
async function completedRun(client: Client, campaign: string, { person_id }: DemoPerson): Promise<PassedRun> {
  const path = `/api/v1/campaigns/${campaign}/runs`;
  let status = "missing";
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(50)) {
    const list = await client.call("GET", `${path}?person_id=${encodeURIComponent(person_id)}`, "secret");
    expectStatus(list, 200);
    const [run] = list.body.data;
    status = run?.status ?? status;
    if (status === "missing" || status === "active") continue;
    expectThat(status === "completed", "the run should be completed", run);
    return (await client.call("GET", `${path}/${run.id}`, "secret")).body;
  }
  throw new Refused(`the run did not end within ${PATIENCE_MS / 1000} s: it is ${status}. Is no worker running?`);
}

/** Returns what happened at one step of the run. */
async function sentence(client: Client, passage: Passage, person: DemoPerson, captures: boolean): Promise<string> {
  if (passage.step_id === "settle") return "Ada has waited for a second.";
  if (passage.step_id === "plan") return `the plan is pro, so the run takes "${passage.way}".`;
  const id = passage.delivery_id ?? "";
  if (captures) await captured(client, person.email, id);
  const { body } = await client.call("GET", `/api/v1/deliveries/${id}`, "secret");
  return captures
    ? `the email "${body.content?.subject}" is captured.`
    : `the in-app message "${body.content?.title}" is queued.`;
}
