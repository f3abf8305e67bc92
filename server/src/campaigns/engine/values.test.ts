import { expect, test } from "vitest";
import { engineService } from "../../../test/support/services/engine.ts";
import { Problem } from "../../platform/http/index.ts";
import { decodeId, encodeId } from "../../platform/ids.ts";
import { busy } from "../../platform/limits/fair-share.ts";
import { type Participant, forAll } from "./steps/batch.ts";

// The values of `update` and `start` may have Liquid.

const { it, identify, campaign, begin, settle, runOf, passed } = await engineService();

const attributesOf = async (person: string) => (await it.call("GET", `/api/v1/people/${person}`)).body.attributes;

test("attributes are rendered for each person, and a value that is one output keeps its type", async () => {
  await identify("ada", { plan: "pro", seen: 3 });
  await identify("eve", { plan: "free" });
  const of = await campaign([
    {
      id: "set",
      type: "update",
      attributes: {
        total: "{{trigger.total}}",
        doubled: "{{ trigger.total | times: 2 }}",
        text: "Total {{trigger.total}} of {{person.plan}}",
        items: " {{ trigger.items }} ",
        seen: "{{person.nothing}}",
        deep: { list: ["{{person.plan}}", 7, "{{ trigger.paid }}"] },
        plain: "as it is",
      },
    },
  ]);
  await begin(of, ["ada", "eve"], { total: 12.5, items: [{ id: 1 }, "x"], paid: true });
  await settle();
  expect(await attributesOf("ada")).toMatchObject({
    total: 12.5,
    doubled: 25,
    text: "Total 12.5 of pro",
    items: [{ id: 1 }, "x"],
    deep: { list: ["pro", 7, true] },
    plain: "as it is",
  });
  expect(await attributesOf("ada")).not.toHaveProperty("seen");
  expect(await attributesOf("eve")).toMatchObject({ text: "Total 12.5 of free", deep: { list: ["free", 7, true] } });
});

test("a value that fails for one person is logged for that person, and the others are updated", async () => {
  await identify("bob", { zone: "nowhere" });
  await identify("cat", { zone: "Europe/Berlin" });
  const of = await campaign([
    { id: "set", type: "update", attributes: { timezone: "{{person.zone}}" } },
    { id: "pause", type: "wait", for: { amount: 1, unit: "days" } },
  ]);
  const [bob = "", cat = ""] = await begin(of, ["bob", "cat"]);
  await settle();
  expect((await it.call("GET", "/api/v1/people/cat")).body.timezone).toBe("Europe/Berlin");
  expect((await passed(cat))[1]).toBe("set passed");
  expect((await passed(bob))[1]).toBe("set failed invalid_request");
});

test("the data of a started campaign is rendered, and content of that campaign reads it", async () => {
  await identify("dan", { plan: "pro" });
  const second = await campaign([{ id: "pause", type: "wait", for: { amount: 1, unit: "days" } }]);
  const first = await campaign([
    {
      id: "go",
      type: "start",
      campaign_id: encodeId("cmp", second.campaignId),
      data: { order: "{{trigger.order}}", plan: "{{person.plan}}!" },
    },
  ]);
  await begin(first, ["dan"], { order: { id: 7 } });
  await settle();
  const { data } = (await it.call("GET", `/api/v1/campaigns/${encodeId("cmp", second.campaignId)}/runs`)).body;
  expect(data).toMatchObject([{ data: { order: { id: 7 }, plan: "pro!" } }]);
  expect((await runOf(decodeId("run", data[0].id) as string)).step_id).toBe("pause");
});

test("Liquid that can't be read, or names what is nothing, is a problem with its place", async () => {
  const made = await it.call("POST", "/api/v1/campaigns", {
    body: {
      name: "Wrong",
      trigger: { type: "api" },
      steps: [
        { id: "set", type: "update", attributes: { a: "{{ persn.name }}", deep: { b: "{{ steps.x.event.y }}" } } },
        { id: "go", type: "start", campaign_id: "cmp_x", data: { c: ["{{ trigger.a | nofilter }}"] } },
      ],
    },
  });
  const { body } = await it.call("POST", `/api/v1/campaigns/${made.body.id}/validate`);
  const found = body.problems.map(({ code, pointer }: { code: string; pointer: string }) => `${code} ${pointer}`);
  expect(found).toContain("template_error /steps/0/attributes/a");
  expect(found).toContain("template_error /steps/1/data/c/0");
});

test("a problem of the content is the outcome of each run, and work that is refused because the service is busy is repeated", async () => {
  const runs = [{}, {}] as Participant[];
  const gone = { failed: "not_found", detail: { message: "There is no such message." } };
  const thrown = (error: Error) => forAll(runs, () => Promise.reject(error));
  expect(await thrown(new Problem("not_found", "There is no such message."))).toEqual([gone, gone]);
  await expect(thrown(busy("Repeat it later."))).rejects.toMatchObject({ code: "busy" });
  await expect(thrown(new Error("lost"))).rejects.toThrow("lost");
});
