import { describe, expect, test } from "vitest";
import { email, end, steppingEngine } from "../../../../test/support/campaigns/steps.ts";
import { encodeId } from "../../../platform/ids.ts";

const { it, identify, define, sync, campaign, begin, settle, passagesOf, passed, deliveries, ended } =
  await steppingEngine();

describe("a message", () => {
  test("in-app is queued for the person with the data of the cause, and sync shows it", async () => {
    await identify("ada", { name: "Ada" });
    const of = await campaign([
      {
        id: "hello",
        type: "message",
        channel: "in_app",
        message_id: await define({ body: "{{person.name}}: {{trigger.order}}" }),
      },
    ]);
    const [run = ""] = await begin(of, ["ada"], { order: "o1" });
    await settle();
    expect(await ended(run)).toBe("completed");
    expect(await sync("ada")).toMatchObject([{ content: { body: "Ada: o1" } }]);
    const [delivery] = await deliveries(of);
    expect(await passagesOf(run)).toMatchObject([{ step_id: "hello", state: "passed", delivery_id: delivery?.id }]);
    const listed = await it.call("GET", `/api/v1/deliveries/${encodeId("dlv", delivery?.id ?? "")}`);
    expect(listed.body).toMatchObject({
      source: "campaign",
      source_id: encodeId("cmp", of.campaignId),
      person_id: "ada",
    });
  });

  test.each([
    ["email", { email: "m@acme.test" }, email("Order {{trigger.order}}"), "Order o2"],
    ["sms", { phone: "+41790000001" }, { body: "Order {{trigger.order}}" }, "Order o2"],
  ])(
    "by %s is rendered and queued; without an address the run goes on with the reason",
    async (channel, address, content, shows) => {
      await identify(`${channel}-has`, address);
      await identify(`${channel}-none`);
      const of = await campaign([{ id: "m", type: "message", channel, content }]);
      const [has = "", none = ""] = await begin(of, [`${channel}-has`, `${channel}-none`], { order: "o2" });
      await settle();
      expect(await passed(has)).toEqual(["m passed"]);
      expect(await passed(none)).toEqual(["m failed no_address"]);
      expect([await ended(has), await ended(none)]).toEqual(["completed", "completed"]);
      const rows = await deliveries(of);
      expect(rows.map(({ status, reason }) => `${status} ${reason}`).sort()).toEqual([
        "failed no_address",
        "queued null",
      ]);
      const counted = await it.call("GET", `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}/failures`);
      expect(counted.body).toEqual({ data: [{ status: "failed", reason: "no_address", count: 1 }], exact: true });
      expect(JSON.stringify(rows)).toContain(shows);
    },
  );

  test("by push goes to those with a device, and a failure ends the run where the step says so", async () => {
    await identify("push-none");
    const of = await campaign([
      { id: "p", type: "message", channel: "push", content: { title: "t", message: "m" }, on_failure: "exit" },
      end,
    ]);
    const [run = ""] = await begin(of, ["push-none"]);
    await settle();
    expect(await ended(run)).toBe("exited step_failed");
    expect(await passed(run)).toEqual(["p failed no_address"]);
  });

  test("holds some out, splits into variants that stay, and speaks the person's language", async () => {
    const people = Array.from({ length: 60 }, (_, i) => `var-${i}`);
    for (const id of people) await identify(id, { phone: `+417911100${id.slice(4).padStart(2, "0")}`, locale: "de" });
    const variant = (name: string) => ({
      name,
      weight: 1,
      content: { body: name },
      locales: { de: { content: { body: `${name} de` } } },
    });
    const of = await campaign([
      { id: "v", type: "message", channel: "sms", variants: [variant("A"), variant("B")], holdout_percent: 30 },
    ]);
    const first = await begin(of, people);
    const second = await begin(of, people);
    await settle();
    const saw = async (runs: string[]) => {
      const rows = await Promise.all(runs.map(async (run) => (await passagesOf(run))[0]));
      return rows.map((row) => JSON.stringify([row?.detail, row?.delivery_id === null]));
    };
    const one = await saw(first);
    expect(one).toEqual(await saw(second));
    const out = one.filter((row) => row.includes("held_out")).length;
    expect(out).toBeGreaterThan(5);
    expect(out).toBeLessThan(35);
    const rows = await deliveries(of);
    expect(rows).toHaveLength(2 * (60 - out));
    expect(new Set(rows.map((row) => row.variant))).toEqual(new Set(["A", "B"]));
    expect(rows.every((row) => JSON.stringify(row.content).includes(`${row.variant} de`))).toBe(true);
  });

  test("respects what people unsubscribed from, and an in-app message that is off or gone fails for all with its code", async () => {
    await identify("unsub", { phone: "+41790000009", subscribed: false });
    const of = await campaign([{ id: "s", type: "message", channel: "sms", content: { body: "x" } }]);
    const [run = ""] = await begin(of, ["unsub"]);
    await settle();
    expect(await passed(run)).toEqual(["s failed unsubscribed"]);
    const off = await campaign([{ id: "i", type: "message", channel: "in_app", message_id: await define() }]);
    await it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app: false } });
    const [other = ""] = await begin(off, ["unsub"]);
    await settle();
    await it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app: true } });
    expect(await passed(other)).toEqual(["i failed in_app_disabled"]);
  });
});
