import { describe, expect, test } from "vitest";
import { inAppService } from "../../test/support/services/in-app.ts";
import { findPeopleByKeys, type Person } from "../people/index.ts";
import { newId } from "../platform/ids.ts";
import { personKey, workspaceById } from "../workspaces/index.ts";
import { chooser, type Editions, isHeldOut, preflight, queueTo, refusals, type Sending } from "./index.ts";

// A campaign's step uses sendings without a broadcast: each run queues for one person, with its own data.

const { it, clock, identify, define } = await inAppService();
const { ground } = it.service;
const workspace = (await workspaceById(ground.db, it.workspaceId)) ?? expect.unreachable("no workspace");

const step = (channel: Sending["channel"], editions: Partial<Editions>, rules: Partial<Sending> = {}): Sending => ({
  workspaceId: it.workspaceId,
  source: "campaign",
  sourceId: newId(),
  splitBy: "welcome first",
  channel,
  editions: { locales: null, variants: null, ...editions },
  holdoutPercent: 0,
  topicId: null,
  tracking: { opens: false, clicks: false },
  preference: "subscribed",
  whenHeld: "wait",
  oncePerAddress: false,
  ...rules,
});

async function people(...ids: string[]): Promise<Person[]> {
  const keys = ids.map((id) => personKey(it.workspaceId, id));
  const found = await findPeopleByKeys(ground.db, keys);
  return keys.map((key) => found.get(key) as Person);
}

/** Queues a step for people one by one, each with data of its own, as their runs reach it. */
async function run(sending: Sending, ids: string[]) {
  for (const person of await people(...ids))
    await ground.db.transaction(async (tx) => {
      const { edition } = chooser(sending)(person);
      const [refused] = await refusals(tx, sending, [{ person, edition }]);
      const recipient = {
        deliveryId: newId(),
        person,
        edition,
        refused,
        cause: { trigger: { order: person.person_id } },
      };
      await queueTo(tx, ground, { workspace, sending, now: clock.now() }, [recipient]);
    });
  const rows = (await it.call("GET", "/api/v1/deliveries?source=campaign&limit=200")).body.data as {
    id: string;
    person_id: string;
    channel: string;
  }[];
  const ours = rows.filter((row) => row.channel === sending.channel);
  const whole = await Promise.all(ours.map(async ({ id }) => (await it.call("GET", `/api/v1/deliveries/${id}`)).body));
  return new Map(whole.map((row) => [row.person_id, row]));
}

describe("a step of a campaign", () => {
  test("sends on each channel the person's variant in their language, with the data of the run", async () => {
    const device = { person_id: "ada", platform: "android", token: "token-ada" };
    await identify("ada", { email: "ada@example.test", phone: "+41791234567", locale: "de-CH" });
    await identify("bob", { phone: "+41791234568" });
    await it.call("PUT", "/data-gateway/v1/devices", { body: device });

    const email = (text: string) => ({
      content: { subject: `${text} {{trigger.order}}`, body: "b", from: "a@acme.test" },
    });
    const variants = ["A", "B"].map((name) => ({
      name,
      weight: 1,
      ...email(`${name} default`),
      locales: { de: email(`${name} deutsch`) },
    }));
    const mails = await run(step("email", { variants }), ["ada", "bob"]);
    const { variant, content } = mails.get("ada");
    expect(["A", "B"]).toContain(variant);
    expect(content.subject).toBe(`${variant} deutsch ada`);
    expect(mails.get("bob")).toMatchObject({ status: "failed", reason: "no_address", source: "campaign" });

    const texts = await run(step("sms", { content: { body: "Order {{trigger.order}}" } }), ["ada", "bob"]);
    expect(texts.get("bob")).toMatchObject({ recipient: "+41791234568", content: { body: "Order bob" } });

    const push = { title: "Order", message: "{{trigger.order}}" };
    const pushes = await run(step("push", { content: push }), ["ada", "bob"]);
    expect(pushes.get("ada")).toMatchObject({ content: { message: "ada" } });
    expect(pushes.get("bob")).toMatchObject({ status: "failed", reason: "no_address" });

    const message_id = await define({ body: "Order {{trigger.order}}" });
    const shown = await run(step("in_app", { message_id, message_version: 1 }), ["ada", "bob"]);
    expect(shown.get("bob")).toMatchObject({ status: "queued", content: { body: "Order bob" } });
  });

  test("splits by its own name, so a person who enters again gets the same variant", async () => {
    const editions = { variants: ["A", "B"].map((name) => ({ name, weight: 1, content: { body: name } })) };
    const [first, later] = [
      step("sms", editions, { holdoutPercent: 20 }),
      step("sms", editions, { holdoutPercent: 20 }),
    ];
    const other = step("sms", editions, { holdoutPercent: 20, splitBy: "welcome second" });
    const keys = Array.from({ length: 200 }, (_, i) => personKey(it.workspaceId, `many-${i}`));
    const assignmentsIn = (sending: Sending) => {
      const choose = chooser(sending);
      return keys.map((person_key) => {
        const { heldOut, edition } = choose({ person_key, locale: null, attributes: {} });
        expect(isHeldOut(sending, person_key)).toBe(heldOut);
        return `${edition.variant} ${heldOut}`;
      });
    };
    expect(assignmentsIn(later)).toEqual(assignmentsIn(first));
    expect(assignmentsIn(other)).not.toEqual(assignmentsIn(first));
  });

  test("reaches all who share an address, where a sending once per address reaches one", async () => {
    await identify("home-1", { email: "home@example.test" });
    await identify("home-2", { email: "home@example.test" });
    const content = { subject: "Hello", body: "b" };
    async function* pages() {
      yield await people("home-1");
      yield await people("home-2");
    }
    const count = (sending: Sending) => preflight(ground.db, { workspace, sending, now: clock.now() }, pages());
    expect(await count(step("email", { content }))).toMatchObject({ will_receive: 2 });
    const once = step("email", { content }, { oncePerAddress: true });
    expect(await count(once)).toMatchObject({
      will_receive: 1,
      excluded: { same_address: 1 },
    });
  });
});
