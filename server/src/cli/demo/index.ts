import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { newId } from "../../platform/ids.ts";
import { addressOf } from "../connect/address.ts";
import { type Answer, type Client, clientOf, PATIENCE_MS } from "../connect/client.ts";
import { printJson } from "../terminal/columns.ts";
import { explain } from "../terminal/explain.ts";
import { Refused } from "../terminal/refused.ts";
import { withTemporaryWorkspace } from "../workspaces/temporary-workspace.ts";
import { playCampaign } from "./campaign.ts";
import { type DemoPerson, playEmail } from "./email.ts";
import { playInApp } from "./in-app.ts";
import { expectStatus, expectThat, type Made, type Steps, steps } from "./steps.ts";

/** `tidings demo`: plays the main job against a running service, as its clients would, and fails if any step fails. */
export async function demo(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: "string" },
      "secret-key": { type: "string" },
      "public-key": { type: "string" },
      json: { type: "boolean" },
    },
  });
  const { url, "secret-key": secret, "public-key": pub } = values;
  const address = addressOf(url);
  await alive(address);
  const show = values.json === true ? asJson : asLines;
  if (secret && pub) return play(clientOf(address, { secret, public: pub }), show);
  if (secret || pub) throw new Refused("give both --secret-key and --public-key, or neither");
  await withTemporaryWorkspace("Tidings demo", (keys) => play(clientOf(address, keys), show));
}

async function alive(address: string): Promise<void> {
  const { status } = await clientOf(address, { secret: "", public: "" }).call("GET", "/healthz", "public");
  if (status !== 200) throw new Refused(`${address}/healthz answers ${status}: this is not a Tidings that works`);
}

interface Show {
  line(text: string): void;
  end(played: Steps, ok: boolean): void;
}

const asLines: Show = {
  line: console.log,
  end: (played, ok) => console.log(`\n${played.table()}\n${ok ? "\nEverything is as it should be." : ""}`),
};
const asJson: Show = { line: () => {}, end: (played, ok) => printJson({ ok, steps: played.rows }) };

/** Plays all steps with a new person, so that rows of earlier runs can't hide a failure of this one. */
async function play(client: Client, show: Show): Promise<void> {
  const played = steps(show.line);
  const word = newId().slice(-12);
  const person = { person_id: `demo-${word}`, email: `ada.${word}@example.com` };
  try {
    await cleaningUp(client, played, person, async (made) => {
      await introduce(client, played, person);
      await playEmail(client, played, person, made);
      await playInApp(client, played, person, made);
      await playCampaign(client, played, person, made);
    });
    show.end(played, true);
  } catch (error) {
    show.end(played, false);
    throw new Refused(`the demo stopped at its last step: ${explain(error).join("; ")}`);
  }
}

/** Identifies the person with the secret key, as a back end does: an address from an application is a claim, and nothing is sent to it. */
async function introduce(client: Client, { step }: Steps, person: DemoPerson): Promise<void> {
  await step(`identify ${person.person_id}`, async () => {
    const body = { person_id: person.person_id, attributes: { email: person.email, first_name: "Ada" } };
    const answer = await client.call("POST", "/data-gateway/v1/identify", "secret", body);
    expectStatus(answer, 200);
    expectThat(answer.body.created === true, "the person should be new", answer.body);
    return { status: "200 created", value: undefined };
  });
}

/** Removes everything that was created, the last first and the person at the end, also if a step failed. */
async function cleaningUp(
  client: Client,
  { step }: Steps,
  person: DemoPerson,
  work: (made: Made) => Promise<void>,
): Promise<void> {
  const things: { path: string; ended?: string | undefined }[] = [{ path: `/api/v1/people/${person.person_id}` }];
  const clear = async () => {
    const answers: Answer[] = [];
    for (const { path, ended } of things.toReversed()) {
      if (ended) answers.push(await client.call("POST", `${path}/${ended}`, "secret"));
      answers.push(await removed(client, path));
    }
    return answers;
  };
  await work((path, ended) => things.push({ path, ended })).catch(async (error) => {
    await clear().catch(() => {});
    throw error;
  });
  await step("clean up", async () => {
    for (const answer of await clear()) expectStatus(answer, 200, 204);
    return { status: `204 ${things.length} things removed`, value: undefined };
  });
}

/** Removes one thing. A campaign that was archived just now can be removed only after the worker has ended its runs. */
async function removed(client: Client, path: string): Promise<Answer> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await client.call("DELETE", path, "secret");
    if (answer.status !== 409 || performance.now() > until) return answer;
    await sleep(50);
  }
}
