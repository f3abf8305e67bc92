import { describe, expect, test } from "vitest";
import { inAppService } from "../../test/support/services/in-app.ts";

const { it, clock, define } = await inAppService();
const message = await define();
const call = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object) =>
  it.call(method, `/api/v1/campaigns${path}`, body ? { body } : {});
const wait = (id: string) => ({ id, type: "wait", for: { amount: 1, unit: "hours" } });
const valid = {
  name: "Welcome",
  trigger: { type: "event", name: "signed_up" },
  steps: [wait("pause"), { id: "hello", type: "message", channel: "in_app", message_id: message }],
};

describe("a campaign", () => {
  test("is made as a draft with every default written out, read, listed, changed and removed", async () => {
    const made = await call("POST", "", valid);
    expect(made.status).toBe(201);
    const { id } = made.body;
    expect(made.body).toEqual({
      id: expect.stringMatching(/^cmp_[0-9a-z]{26}$/),
      status: "draft",
      ...valid,
      reentry: "once",
      entry_max_age: { amount: 24, unit: "hours" },
      exit_when: null,
      goal: null,
      cancel_on: null,
      summary: [
        { step_id: null, depth: 0, text: 'People enter when they do "signed_up", each of them once.' },
        { step_id: "pause", depth: 0, text: "They wait for 1 hour." },
        { step_id: "hello", depth: 0, text: "They get an in-app message." },
      ],
      published: null,
      changed: false,
      paused_at: null,
      progress: null,
      created_at: "2026-03-10T12:00:00.000Z",
      updated_at: "2026-03-10T12:00:00.000Z",
    });
    expect((await call("GET", `/${id}`)).body).toEqual(made.body);
    const {
      trigger,
      steps: _steps,
      reentry: _r,
      entry_max_age: _e,
      exit_when: _x,
      goal: _g,
      cancel_on: _c,
      summary: _s,
      ...rest
    } = made.body;
    expect((await call("GET", "")).body).toEqual({
      data: [{ ...rest, trigger_type: "event", trigger, active_runs: 0, step_count: 2, channels: ["in_app"] }],
      next_cursor: null,
    });
    clock.forward(1_000);
    const steps = [wait("pause")];
    const changed = await call("PATCH", `/${id}`, {
      name: "Hello",
      reentry: { after: { amount: 3, unit: "days" } },
      steps,
    });
    expect(changed.body).toEqual({
      ...made.body,
      name: "Hello",
      reentry: { after: { amount: 3, unit: "days" } },
      steps,
      summary: [
        {
          step_id: null,
          depth: 0,
          text: 'People enter when they do "signed_up", not sooner than 3 days after the last time.',
        },
        { step_id: "pause", depth: 0, text: "They wait for 1 hour." },
      ],
      updated_at: "2026-03-10T12:00:01.000Z",
    });
    expect((await call("GET", "")).body.data).toMatchObject([{ name: "Hello", channels: [] }]);
    expect((await call("DELETE", `/${id}`)).status).toBe(204);
    expect((await call("GET", `/${id}`)).status).toBe(404);
  });

  test("may be incomplete: a step needs its id and its type only", async () => {
    const steps = [
      { id: "a", type: "message" },
      { id: "b", type: "branch", then: [{ id: "c", type: "wait" }] },
      { id: "d", type: "split", arms: [{ name: "A", weight: 1, steps: [{ id: "e", type: "exit" }] }] },
    ];
    const made = await call("POST", "", { ...valid, trigger: { type: "api" }, steps });
    expect(made).toMatchObject({ status: 201, body: { steps } });
    const { data } = (await call("GET", `?q=${made.body.id}`)).body;
    expect(data).toMatchObject([{ id: made.body.id, trigger_type: "api", step_count: 5 }]);
  });

  test("can't have an in-app step while in-app is off", async () => {
    const steps = [{ id: "a", type: "branch", then: [], else: [{ id: "b", type: "message", channel: "in_app" }] }];
    const made = await call("POST", "", valid);
    await it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app: false } });
    for (const answer of [
      await call("POST", "", { ...valid, steps }),
      await call("PATCH", `/${made.body.id}`, { steps }),
    ])
      expect(answer).toMatchObject({ status: 422, body: { code: "in_app_disabled" } });
    expect((await call("PATCH", `/${made.body.id}`, { name: "Other" })).status).toBe(200);
    await it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app: true } });
  });

  test("is answered with the fields of its steps in the order of the contract, not in that of PostgreSQL", async () => {
    const steps = [{ id: "paid", type: "branch", if: { event: "paid", op: "performed" }, then: [wait("a")], else: [] }];
    const made = await call("POST", "", { ...valid, steps });
    const read = await call("GET", `/${made.body.id}`);
    for (const { body } of [made, read]) expect(JSON.stringify(body.steps)).toBe(JSON.stringify(steps));
  });
});

const nested = (depth: number): object => ({
  id: `d${depth}`,
  type: "branch",
  then: depth > 1 ? [nested(depth - 1)] : [],
});

describe("a step that is wrong is named", () => {
  const inside = (step: object) => ({ steps: [wait("a"), { id: "b", type: "branch", then: [step] }] });
  test.each([
    ["a type that is none", inside({ id: "c", type: "fly" }), "/steps/1/then/0/type"],
    ["no id", inside({ type: "exit" }), "/steps/1/then/0/id"],
    ["an id with a dash", inside({ id: "c-d", type: "exit" }), "/steps/1/then/0/id"],
    ["an id that is there twice", inside(wait("a")), "/steps/1/then/0/id"],
    ["a wait of no length", inside({ id: "c", type: "wait", for: 5 }), "/steps/1/then/0/for"],
    ["a unit that is none", inside({ ...wait("c"), for: { amount: 1, unit: "weeks" } }), "/steps/1/then/0/for/unit"],
    ["an unknown field", inside({ ...wait("c"), colour: "red" }), "/steps/1/then/0/colour"],
    ["a step that is no object", { steps: [wait("a"), "exit"] }, "/steps/1"],
    [
      "a step in an arm",
      { steps: [{ id: "a", type: "split", arms: [{ name: "A", weight: 1, steps: [{ id: "b", type: "fly" }] }] }] },
      "/steps/0/arms/0/steps/0/type",
    ],
    ["a filter that is none", inside({ id: "c", type: "branch", if: { nonsense: 1 } }), "/steps/1/then/0/if"],
    [
      "a condition on an attribute",
      inside({ id: "c", type: "branch", if: { all: [{ not: { attribute: "a", op: "near", value: 1 } }] } }),
      "/steps/1/then/0/if/all/0/not/op",
    ],
    [
      "a condition on the trigger",
      inside({ id: "c", type: "branch", if: { any: [{ trigger: "total", op: "gt", value: true }] } }),
      "/steps/1/then/0/if/any/0/value",
    ],
    [
      "a condition on a step",
      inside({ id: "c", type: "branch", if: { step: "a", op: "read" } }),
      "/steps/1/then/0/if/op",
    ],
    [
      "a condition on an event's property",
      inside({ id: "c", type: "wait_until", event: "paid", where: [{ property: "total", op: "near" }] }),
      "/steps/1/then/0/where/0/op",
    ],
    ["a nesting that is too deep", { steps: [nested(10)] }, `/steps/0${"/then/0".repeat(9)}/then`],
    [
      "too many steps",
      { steps: [{ id: "b", type: "branch", then: Array.from({ length: 200 }, (_, i) => wait(`w${i}`)) }] },
      "/steps/0/then/199",
    ],
    ["a trigger that is none", { trigger: { type: "moon" } }, "/trigger/type"],
    ["a trigger without its event", { trigger: { type: "event" } }, "/trigger/name"],
    [
      "a property of the trigger",
      { trigger: { type: "event", name: "x", where: [{ property: "a", op: "gt" }] } },
      "/trigger/where/0/value",
    ],
    ["a trigger's filter", { trigger: { type: "audience", audience: { all: [{}] } } }, "/trigger/audience/all/0"],
    [
      "two audiences",
      { trigger: { type: "audience", audience: { all: [] }, audience_id: "aud_01kgaaaaaaaaaaaaaaaaaaaaaa" } },
      "/trigger/audience",
    ],
    ["a filter that ends runs", { exit_when: { step: "1", op: "seen" } }, "/exit_when/step"],
    [
      "a goal's property",
      { goal: { event: "paid", within: { amount: 1, unit: "days" }, where: [{}] } },
      "/goal/where/0/property",
    ],
    ["what cancels", { cancel_on: { event: "" } }, "/cancel_on/event"],
    ["an unknown field of the campaign", { colour: "red" }, "/colour"],
    ["re-entry", { reentry: "sometimes" }, "/reentry"],
  ])("%s", async (_what, fields, pointer) => {
    const { id } = (await call("POST", "", valid)).body;
    for (const answer of [await call("POST", "", { ...valid, ...fields }), await call("PATCH", `/${id}`, fields)]) {
      expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
      expect(answer.body.errors[0].pointer).toBe(pointer);
    }
  });

  test("a re-entry by another word is told both forms", async () => {
    const answer = await call("POST", "", { ...valid, reentry: "sometimes" });
    expect(answer.body.detail).toBe('/reentry must be once, always or {"after": {"amount": 7, "unit": "days"}}.');
  });
});
