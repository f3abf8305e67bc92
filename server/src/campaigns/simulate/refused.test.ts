import { expect, test } from "vitest";
import { simulatingService } from "../../../test/support/campaigns/simulating.ts";

const { draft, simulate } = await simulatingService();

test("a simulation ends after 500 entries or five years, and says so", async () => {
  const id = await draft({
    trigger: { type: "event", name: "go" },
    reentry: "always",
    steps: [
      ...Array.from({ length: 8 }, (_, i) => ({ id: `u${i}`, type: "update", attributes: { n: i } })),
      { id: "long", type: "wait", for: { amount: 6 * 366, unit: "days" } },
    ],
  });
  const events = Array.from({ length: 60 }, () => ({ eventName: "go", at: "2030-01-01T10:00:00Z" }));
  const many = await simulate(id, { person: {}, events });
  expect(many.body).toMatchObject({ stopped: "entries" });
  expect(many.body.timeline).toHaveLength(500);
  const one = await simulate(id, { person: {}, events: events.slice(0, 1) });
  expect(one.body).toMatchObject({ stopped: "until" });
});

test.each<[object, string]>([
  [{ events: [] }, "/person_id"],
  [{ person: { email: "none" } }, "/person/email"],
  [{ person: {}, lists: ["aud_none"] }, "/lists/0"],
  [{ person: {}, events: [{ at: "2030-01-01T10:00:00Z" }] }, "/events/0/eventName"],
  [{ person: {}, events: [{ at: "2030-01-01T10:00:00Z", step: "mail" }] }, "/events/0/happened"],
  [{ person: {}, events: [{ at: "2030-01-01T10:00:00Z", step: "nope", happened: "seen" }] }, "/events/0/step"],
  [{ person: {}, responses: { mail: {} } }, "/responses/mail"],
  [{ person: {}, responses: { "a/b": {} } }, "/responses/a~1b"],
  [{ person: {}, responses: { mail: { status: 42 } } }, "/responses/mail/status"],
  [{ person: {}, events: [{ at: "soon", eventName: "go" }] }, "/events/0/at"],
  [
    { person: {}, start: "2031-01-01T10:00:00Z", events: [{ at: "2030-01-01T10:00:00Z", eventName: "go" }] },
    "/events/0/at",
  ],
])("bad input %j is refused at %s", async (body, pointer) => {
  const id = await draft({
    trigger: { type: "api" },
    steps: [{ id: "mail", type: "message", channel: "email", content: { subject: "Hi", body: "Hi" } }],
  });
  const answer = await simulate(id, body);
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ code: "invalid_request", errors: [{ pointer }] });
});

test("an incomplete campaign answers its problems, and an unknown person or campaign 404", async () => {
  const id = await draft({ trigger: { type: "api" }, steps: [{ id: "mail", type: "message" }] });
  const incomplete = await simulate(id, { person: {} });
  expect(incomplete.status).toBe(422);
  expect(incomplete.body).toMatchObject({
    code: "campaign_invalid",
    errors: [{ code: "field_missing", step_id: "mail" }],
  });
  const complete = await draft({ trigger: { type: "api" }, steps: [{ id: "end", type: "exit" }] });
  expect(await simulate(complete, { person_id: "nobody" })).toMatchObject({
    status: 404,
    body: { code: "person_not_found" },
  });
  expect(await simulate("cmp_none", { person: {} })).toMatchObject({ status: 404 });
});
