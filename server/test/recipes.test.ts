import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { letInPage, planNext } from "../src/campaigns/entry/schedule-work.ts";
import { root } from "./support/docs/snippets.ts";
import { engineService } from "./support/services/engine.ts";

// Runs the recipes of docs/campaigns.md as they stand, and checks who gets which message and when.

const { it, clock, settle } = await engineService();
const { ground } = it.service;
const page = readFileSync(`${root}docs/campaigns.md`, "utf8");

/** A recipe under way in a workspace of its own: the calls below its campaign are made one by one. */
interface Recipe {
  /** Makes the next call of the recipe at this time, with all runs, days and messages that are due. */
  callAt(time: string): Promise<void>;
  at(time: string): Promise<void>;
  /** `time person subject` of each message, in the order in which they were queued. */
  got(): Promise<string[]>;
  /** Reports that the person has seen the in-app message that their application is given. */
  seen(person: string): Promise<void>;
  get(path: string): Promise<{ data: Record<string, unknown>[]; [name: string]: unknown }>;
}

/** Makes the resources of a recipe at this time and activates its campaign. */
async function recipe(heading: string, time: string): Promise<Recipe> {
  const section = new RegExp(`^##+ ${heading}\n([\\s\\S]*?)(?=^##+ |(?![\\s\\S]))`, "m").exec(page)?.[1] ?? "";
  const calls = [...section.matchAll(/^```json (POST|PUT) (\S+)\n([\s\S]*?)^```$/gm)].map(
    ([, method = "", path = "", body = ""]) => ({ method: method as "POST" | "PUT", path, body }),
  );
  const { secretKey: key, publicKey } = await it.another(heading);
  const ids = new Map<string, string>();
  const filled = (text: string) => text.replaceAll(/\b(\w+)_\.\.\./g, (all, prefix) => ids.get(prefix) ?? all);
  const call = async ({ method, path, body }: (typeof calls)[number]) => {
    const answer = await it.call(method, filled(path), { key, body: JSON.parse(filled(body)) });
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    for (const result of answer.body.results ?? []) expect(result.status).toBeLessThan(300);
    const id: string | undefined = answer.body?.id;
    if (id) ids.set(id.slice(0, id.indexOf("_")), id);
  };
  const work = async () => {
    while (await planNext(ground));
    while (await letInPage(ground));
    await settle();
  };
  const get = async (path: string) => (await it.call("GET", filled(path), { key })).body;

  clock.set(time);
  const own = calls.findIndex(({ path }) => path === "/api/v1/campaigns");
  for (const one of calls.splice(0, own + 1)) await call(one);
  // A page shows the call that activates only once.
  if (calls[0]?.path.endsWith("/activate")) calls.shift();
  await call({ method: "POST", path: "/api/v1/campaigns/cmp_.../activate", body: "{}" });
  await work();
  const at = async (then: string) => {
    clock.set(then);
    await work();
  };
  return {
    at,
    get,
    async callAt(then) {
      clock.set(then);
      const next = calls.shift();
      if (!next) throw new Error(`${heading} has no further call`);
      await call(next);
      await work();
    },
    async seen(person) {
      const inApp = "/data-gateway/v1/in-app/messages";
      const shown = await it.call("GET", `${inApp}/sync?person_id=${person}`, { key: publicKey });
      const path = `${inApp}/${shown.body[0].delivery_id}/impression`;
      const answer = await it.call("POST", path, { key: publicKey, body: { person_id: person } });
      expect(answer.body).toMatchObject({ recorded: true });
      await work();
    },
    async got() {
      const { data } = await get("/api/v1/deliveries?source=campaign&limit=100");
      const all = data as { id: string; person_id: string; queued_at: string }[];
      const lines = all.map(async ({ id, person_id, queued_at }) => {
        const { content } = await get(`/api/v1/deliveries/${id}`);
        const { subject, title, body } = content as Record<string, string>;
        return `${queued_at.slice(0, 16)} ${person_id} ${subject ?? title ?? body}`;
      });
      return (await Promise.all(lines)).sort();
    },
  };
}

describe("the recipe", () => {
  test("A first campaign: a welcome at once, and a message in office hours by what the person has done", async () => {
    const welcome = await recipe("A first campaign", "2031-03-13T12:00:00Z");
    await welcome.callAt("2031-03-13T18:00:00Z");
    const hello = ["2031-03-13T18:00 ada Welcome, Ada", "2031-03-13T18:00 bob Welcome, Bob"];
    expect(await welcome.got()).toEqual(hello);
    await welcome.callAt("2031-03-14T12:00:00Z");
    // Saturday, two days later, is no office hour. Monday at nine is first in Berlin, then in New York.
    await welcome.at("2031-03-15T18:00:00Z");
    await welcome.at("2031-03-17T07:59:00Z");
    expect(await welcome.got()).toEqual(hello);
    const tips = [...hello, "2031-03-17T08:00 ada Three things to try next"];
    await welcome.at("2031-03-17T08:00:00Z");
    await welcome.at("2031-03-17T12:59:00Z");
    expect(await welcome.got()).toEqual(tips);
    await welcome.at("2031-03-17T13:00:00Z");
    expect(await welcome.got()).toEqual([...tips, "2031-03-17T13:00 bob Shall we help you begin?"]);
    expect((await welcome.get("/api/v1/campaigns/cmp_.../runs?status=completed")).data).toHaveLength(2);
  });

  test("Abandoned cart: a reminder after an hour, an offer a day later for a large cart, nothing after an order", async () => {
    const cart = await recipe("Abandoned cart", "2031-04-01T12:00:00Z");
    await cart.callAt("2031-04-01T13:00:00Z");
    await cart.callAt("2031-04-01T13:30:00Z");
    await cart.at("2031-04-01T13:59:00Z");
    expect(await cart.got()).toEqual([]);
    await cart.at("2031-04-01T14:00:00Z");
    const reminded = ["2031-04-01T14:00 ada Your cart waits for you", "2031-04-01T14:00 bob Your cart waits for you"];
    expect(await cart.got()).toEqual(reminded);
    await cart.at("2031-04-02T13:59:00Z");
    expect(await cart.got()).toEqual(reminded);
    await cart.at("2031-04-02T14:00:00Z");
    expect(await cart.got()).toEqual([...reminded, "2031-04-02T14:00 ada 10 % off your cart"]);
    const runs = await cart.get("/api/v1/campaigns/cmp_.../runs?person_id=cy");
    expect(runs.data).toMatchObject([{ status: "canceled", reason: "cancel_on" }]);
    expect((await cart.get("/api/v1/campaigns/cmp_.../metrics")).goal).toMatchObject({ reached: 1 });
  });

  test("Digest of comments: one email for each post an hour after the first comment", async () => {
    const digest = await recipe("Digest of comments", "2031-04-03T12:00:00Z");
    await digest.callAt("2031-04-03T13:00:00Z");
    await digest.at("2031-04-03T13:59:00Z");
    expect(await digest.got()).toEqual([]);
    await digest.at("2031-04-03T14:00:00Z");
    expect(await digest.got()).toEqual([
      "2031-04-03T14:00 ada Bob and 2 others commented on Our trip",
      "2031-04-03T14:00 ada Eve commented on Recipes",
    ]);
  });

  test("Trial ending: three days before and on the last day, at nine where the person is, unless they chose a plan", async () => {
    const trial = await recipe("Trial ending", "2031-03-18T12:00:00Z");
    await trial.callAt("2031-03-18T13:00:00Z");
    await trial.at("2031-03-21T07:59:00Z");
    expect(await trial.got()).toEqual([]);
    await trial.at("2031-03-21T08:00:00Z");
    await trial.at("2031-03-21T12:59:00Z");
    expect(await trial.got()).toEqual(["2031-03-21T08:00 ada Your trial ends in three days"]);
    await trial.at("2031-03-21T13:00:00Z");
    const soon = [
      "2031-03-21T08:00 ada Your trial ends in three days",
      "2031-03-21T13:00 bob Your trial ends in three days",
    ];
    expect(await trial.got()).toEqual(soon);
    await trial.callAt("2031-03-22T12:00:00Z");
    await trial.at("2031-03-24T07:59:00Z");
    expect(await trial.got()).toEqual(soon);
    await trial.at("2031-03-24T08:00:00Z");
    await trial.at("2031-03-24T13:00:00Z");
    expect(await trial.got()).toEqual([...soon, "2031-03-24T08:00 ada Today is the last day of your trial"]);
  });

  test("Escalating alert: in the application, then a push, then a text message, until it is seen or over", async () => {
    const incident = async () => {
      const alert = await recipe("Escalating alert", "2031-04-07T09:00:00Z");
      // The people, Bob's phone and the two runs.
      for (let i = 0; i < 4; i++) await alert.callAt("2031-04-07T09:00:00Z");
      clock.set("2031-04-07T09:02:00Z");
      await alert.seen("ada");
      await alert.at("2031-04-07T09:04:00Z");
      expect(await alert.got()).toEqual(inApp);
      await alert.at("2031-04-07T09:05:00Z");
      expect(await alert.got()).toEqual(push);
      return alert;
    };
    const inApp = ["2031-04-07T09:00 ada Checkout is down", "2031-04-07T09:00 bob Checkout is down"];
    const push = [...inApp, "2031-04-07T09:05 bob Checkout is down"];
    const unseen = await incident();
    await unseen.at("2031-04-07T09:14:00Z");
    expect(await unseen.got()).toEqual(push);
    await unseen.at("2031-04-07T09:15:00Z");
    const sms = "2031-04-07T09:15 bob Checkout is down since 09:00. Please look into it.";
    expect(await unseen.got()).toEqual([...push, sms]);

    const over = await incident();
    await over.callAt("2031-04-07T09:14:00Z");
    await over.at("2031-04-07T09:15:00Z");
    expect(await over.got()).toEqual(push);
  });
});
