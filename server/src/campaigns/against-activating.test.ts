import { describe, expect, test } from "vitest";
import { draftService, email, nobody, push } from "../../test/support/campaigns/problems.ts";

const { define, message, call, draft, problems, list, filter } = await draftService();

describe("what stands against activating", () => {
  const one = (step: object) => ({ steps: [{ id: "a", ...step }] });
  const start = (campaign_id: string) => one({ type: "start", campaign_id });
  test.each<[string, object | (() => Promise<object>), string, string]>([
    ["no steps", { steps: [] }, "no_steps", "/steps"],
    ["no audience", { trigger: { type: "audience" } }, "field_missing", "/trigger/audience_id"],
    [
      "an audience that is gone",
      { trigger: { type: "audience", audience_id: nobody } },
      "audience_gone",
      "/trigger/audience_id",
    ],
    [
      "an audience in a filter",
      { trigger: { type: "audience", audience: { not: { audience: nobody } } } },
      "field_invalid",
      "/trigger/audience",
    ],
    ["an audience in exit_when", { exit_when: { audience: nobody } }, "field_invalid", "/exit_when"],
    [
      "a topic in a branch",
      one({ type: "branch", if: { subscribed: true, topic: "top_01kgaaaaaaaaaaaaaaaaaaaaaa" } }),
      "field_invalid",
      "/steps/0/if",
    ],
    ["a step in a branch", one({ type: "branch", if: { step: "b", op: "seen" } }), "step_unknown", "/steps/0/if"],
    [
      "a step that is no message",
      one({ type: "branch", if: { step: "a", op: "seen" } }),
      "step_unknown",
      "/steps/0/if",
    ],
    ["no channel", one({ type: "message" }), "field_missing", "/steps/0/channel"],
    ["no in-app message", one({ type: "message", channel: "in_app" }), "field_invalid", "/steps/0/message_id"],
    [
      "an in-app message that is gone",
      async () => {
        const gone = await define();
        await call("DELETE", `/in-app-messages/${gone}`);
        return one({ type: "message", channel: "in_app", message_id: gone });
      },
      "field_invalid",
      "/steps/0/message_id",
    ],
    [
      "content of another channel",
      one({ type: "message", ...email, channel: "push" }),
      "field_invalid",
      "/steps/0/content/title",
    ],
    [
      "an unknown name in content",
      one({ type: "message", ...push, content: { title: "{{persn.name}}", message: "x" } }),
      "template_error",
      "/steps/0/content/title",
    ],
    [
      "a template that is gone",
      one({ type: "message", channel: "email", content: { template_id: "tpl_01kgaaaaaaaaaaaaaaaaaaaaaa" } }),
      "template_not_found",
      "/steps/0/content/template_id",
    ],
    [
      "a topic that is gone",
      one({ type: "message", ...push, topic_id: "top_01kgaaaaaaaaaaaaaaaaaaaaaa" }),
      "topic_gone",
      "/steps/0/topic_id",
    ],
    [
      "a holdout of three decimals",
      one({ type: "message", ...push, holdout_percent: 1.234 }),
      "field_invalid",
      "/steps/0/holdout_percent",
    ],
    [
      "two variants with a name",
      one({
        type: "message",
        channel: "push",
        variants: [
          { name: "A", weight: 1, content: push.content },
          { name: "A", weight: 1, content: push.content },
        ],
      }),
      "field_invalid",
      "/steps/0/variants/1/name",
    ],
    [
      "a wait for two things",
      one({ type: "wait", for: { amount: 1, unit: "days" }, until: "trigger.at" }),
      "field_extra",
      "/steps/0/until",
    ],
    [
      "an offset of a length",
      one({ type: "wait", for: { amount: 1, unit: "days" }, offset: { amount: 1, unit: "days" } }),
      "field_extra",
      "/steps/0/offset",
    ],
    ["no event", one({ type: "wait_until", timeout: { amount: 1, unit: "days" } }), "field_missing", "/steps/0/event"],
    ["no time-out", one({ type: "wait_until", event: "paid" }), "field_missing", "/steps/0/timeout"],
    ["an empty window", one({ type: "wait_window", from: "09:00", to: "09:00" }), "window_empty", "/steps/0/to"],
    ["no window", one({ type: "wait_window" }), "field_missing", "/steps/0/from"],
    ["one arm", one({ type: "split", arms: [{ name: "A", weight: 1 }] }), "too_few_arms", "/steps/0/arms"],
    [
      "two arms with a name",
      one({
        type: "split",
        arms: [
          { name: "A", weight: 1 },
          { name: "A", weight: 1 },
        ],
      }),
      "name_taken",
      "/steps/0/arms/1/name",
    ],
    ["no window", one({ type: "batch" }), "field_missing", "/steps/0/window"],
    ["a key", one({ type: "batch", window: { amount: 1, unit: "days" }, key: "post" }), "root_unknown", "/steps/0/key"],
    ["no address", one({ type: "webhook" }), "field_missing", "/steps/0/url"],
    ["no host", one({ type: "webhook", url: "/hook" }), "field_invalid", "/steps/0/url"],
    ["Liquid in a host", one({ type: "webhook", url: "https://{{trigger.h}}.test/" }), "field_invalid", "/steps/0/url"],
    ["credentials", one({ type: "webhook", url: "https://a:b@shop.test/" }), "field_invalid", "/steps/0/url"],
    [
      "Liquid that can't be parsed",
      one({ type: "webhook", url: "https://shop.test/{{trigger.a" }),
      "template_error",
      "/steps/0/url",
    ],
    [
      "an unknown name",
      one({ type: "webhook", url: "https://shop.test/", body: { a: [{ "b/c": "{{customer.x}}" }] } }),
      "template_error",
      "/steps/0/body/a/0/b~1c",
    ],
    [
      "a step in Liquid that is not there",
      one({ type: "message", ...push, content: { title: "{{steps.a.sent}}", message: "{{ steps['b'].event.x }}" } }),
      "step_unknown",
      "/steps/0/content/message",
    ],
    [
      "a step in another language",
      one({ type: "message", ...push, locales: { de: { content: { ...push.content, title: "{{steps.b.x}}" } } } }),
      "step_unknown",
      "/steps/0/locales/de/content/title",
    ],
    [
      "a step in a later message",
      one({
        type: "message",
        ...push,
        escalate: [
          { after: { amount: 1, unit: "hours" }, channel: "sms", content: { body: "{% if steps.b %}x{% endif %}" } },
        ],
      }),
      "step_unknown",
      "/steps/0/escalate/0/content/body",
    ],
    [
      "a step in a call",
      one({ type: "webhook", url: "https://shop.test/", body: { a: ["{{steps.b.response.code}}"] } }),
      "step_unknown",
      "/steps/0/body/a/0",
    ],
    [
      "a step in a value",
      one({ type: "update", attributes: { a: "{{steps.b.x | default: steps.a.y}}" } }),
      "step_unknown",
      "/steps/0/attributes/a",
    ],
    ["no limit", one({ type: "throttle", window: { amount: 1, unit: "days" } }), "field_missing", "/steps/0/limit"],
    [
      "a key of nothing",
      one({ type: "throttle", limit: 1, window: { amount: 1, unit: "days" }, key: "post" }),
      "root_unknown",
      "/steps/0/key",
    ],
    ["no attributes", one({ type: "update", attributes: {} }), "field_missing", "/steps/0/attributes"],
    ["no list", one({ type: "list" }), "field_missing", "/steps/0/add"],
    ["two lists", one({ type: "list", add: list, remove: list }), "field_extra", "/steps/0/remove"],
    ["a list that is gone", one({ type: "list", add: nobody }), "audience_gone", "/steps/0/add"],
    ["a list that is a filter", one({ type: "list", remove: filter }), "audience_not_a_list", "/steps/0/remove"],
    ["no campaign", one({ type: "start" }), "field_missing", "/steps/0/campaign_id"],
    ["a campaign that is gone", start("cmp_01kgaaaaaaaaaaaaaaaaaaaaaa"), "campaign_gone", "/steps/0/campaign_id"],
  ])("%s", async (_what, fields, code, pointer) => {
    const id = await draft(typeof fields === "function" ? await fields() : fields);
    expect(await problems(id)).toMatchObject([{ code, pointer }]);
  });

  test("in-app is off", async () => {
    const id = await draft(one({ type: "message", channel: "in_app", message_id: message }));
    await call("PATCH", "/workspace", { allow_in_app: false });
    expect(await problems(id)).toMatchObject([
      {
        code: "in_app_disabled",
        pointer: "/steps/0/channel",
        step_id: "a",
        message: expect.stringMatching(/settings$/),
      },
    ]);
    await call("PATCH", "/workspace", { allow_in_app: true });
  });

  test("campaigns that start each other", async () => {
    const first = await draft({});
    const second = await draft(start(first));
    const third = await draft(start(second));
    for (const id of [second, third]) expect((await call("POST", `/campaigns/${id}/activate`)).status).toBe(200);
    await call("PATCH", `/campaigns/${first}`, {
      steps: [{ id: "again", type: "branch", if: { all: [] }, then: [{ id: "b", type: "start", campaign_id: third }] }],
    });
    const loop = { code: "campaign_loop", step_id: "b", pointer: "/steps/0/then/0/campaign_id" };
    expect(await problems(first)).toMatchObject([loop]);
    await call("PATCH", `/campaigns/${first}`, start(first));
    expect(await problems(first)).toMatchObject([{ ...loop, step_id: "a", pointer: "/steps/0/campaign_id" }]);
    expect(await problems(second), "the first is not active, so it starts nothing").toEqual([]);
  });
});
