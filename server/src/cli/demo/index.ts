import { parseArgs } from "node:util";
import { newId } from "../../platform/ids.ts";
import { addressOf } from "../address.ts";
import { type Client, clientOf } from "../client.ts";
import { explain } from "../explain.ts";
import { Refused } from "../refused.ts";
import { withTemporaryKeys } from "../temporary-keys.ts";
import { playEmail } from "./email.ts";
import { playInApp } from "./in-app.ts";
import { expectStatus, expectThat, steps } from "./steps.ts";

/** `tidings demo`: plays the main job against a running service, as its clients would, and fails if any step is not as it should be. */
export async function demo(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: "string" },
      "secret-key": { type: "string" },
      "public-key": { type: "string" },
      workspace: { type: "string" },
    },
  });
  const { url, "secret-key": secret, "public-key": pub } = values;
  const address = addressOf(url);
  await alive(address);
  if (secret && pub) return play(clientOf(address, { secret, public: pub }));
  if (secret || pub) throw new Refused("give both --secret-key and --public-key, or neither");
  await withTemporaryKeys("tidings demo", values.workspace, (keys) => play(clientOf(address, keys)));
}

async function alive(address: string): Promise<void> {
  const { status } = await clientOf(address, { secret: "", public: "" }).call("GET", "/healthz", "public");
  if (status !== 200) throw new Refused(`${address}/healthz answers ${status}: this is not a Tidings that works`);
}

/** A person of its own for each run: what earlier runs left can't stand in for what this one should do. */
async function play(client: Client): Promise<void> {
  const played = steps(console.log);
  const word = newId().slice(-12);
  const person = { person_id: `demo-${word}`, email: `ada.${word}@example.com` };
  try {
    await played.step(`identify ${person.person_id}`, async () => {
      const attributes = { email: person.email, first_name: "Ada" };
      const answer = await client.call("POST", "/data-gateway/v1/identify", "public", {
        person_id: person.person_id,
        attributes,
      });
      expectStatus(answer, 200);
      expectThat(answer.body.created === true, "the person should be new", answer.body);
      return { status: "200 created", value: undefined };
    });
    await playEmail(client, played, person);
    await playInApp(client, played, person);
    console.log(`\n${played.table()}\n\nEverything is as it should be.`);
  } catch (error) {
    console.log(`\n${played.table()}\n`);
    throw new Refused(`the demo stopped at its last step: ${explain(error).join("; ")}`);
  }
}
