import { expect, test } from "vitest";
import { draftService, email, push } from "../../test/support/campaigns/problems.ts";

const { it, define, message, call, make, draft, problems, list, filter } = await draftService();

test("a campaign that is whole has no problems, and is activated", async () => {
  const id = await draft({
    trigger: { type: "audience", audience_id: filter },
    exit_when: { all: [{ audience: list }, { step: "mail", op: "failed" }] },
    steps: [
      { id: "mail", type: "message", ...email },
      { id: "pop", type: "message", channel: "in_app", message_id: message },
      { id: "wait", type: "wait", until: "person.renews_at", offset: { amount: 3, unit: "days", direction: "before" } },
      {
        id: "till",
        type: "wait_until",
        event: "paid",
        timeout: { amount: 1, unit: "days" },
        then: [{ id: "bye", type: "exit" }],
      },
      { id: "night", type: "wait_window", from: "09:00", to: "17:00", days: ["mon"] },
      { id: "fork", type: "branch", if: { step: "mail", op: "seen" }, then: [{ id: "x", type: "exit" }] },
      {
        id: "split",
        type: "split",
        arms: [
          { name: "A", weight: 1 },
          { name: "B", weight: 1, steps: [] },
        ],
      },
      { id: "set", type: "update", attributes: { plan: "pro" } },
      { id: "on", type: "list", add: list },
    ],
  });
  expect(await problems(id)).toEqual([]);
  expect((await call("POST", `/campaigns/${id}/activate`)).status).toBe(200);
});

test("in-app messages and email templates that read from unknown steps are reported at the field that names them", async () => {
  const known = await make("/email-templates", { name: "Known", subject: "{{steps.mail.x}}", body: "<p>Hi</p>" });
  const template = await make("/email-templates", {
    name: "Odd",
    subject: "Hi",
    body: "<p>{{steps.gone.event.total}}</p>",
  });
  const popup = await define({ name: "Odd", body: "{{steps.pay.event.total}} {{steps.mail.x}}" });
  const after = { amount: 2, unit: "hours" };
  const id = await draft({
    steps: [
      { id: "known", type: "message", channel: "email", content: { template_id: known } },
      { id: "mail", type: "message", channel: "email", content: { template_id: template } },
      { id: "pop", type: "message", ...push, escalate: [{ after, channel: "in_app", message_id: popup }] },
    ],
  });
  const unknown = (step_id: string, pointer: string, named: string) => ({
    ...{ code: "step_unknown", step_id, pointer },
    message: `reads steps.${named}: this campaign has no such step`,
  });
  expect(await problems(id)).toEqual([
    unknown("mail", "/steps/1/content/template_id", "gone"),
    unknown("pop", "/steps/2/escalate/0/message_id", "pay"),
  ]);
});

test("the later messages of a step are checked like its own, with pointers to them", async () => {
  const after = { amount: 2, unit: "hours" };
  const escalate = [
    { after, channel: "in_app" },
    { channel: "push", content: { title: "Hi", message: "{{ person.name" } },
    { after, channel: "email", content: { template_id: "tpl_01kgaaaaaaaaaaaaaaaaaaaaaa" } },
    { after, channel: "sms", content: { subject: "Hi" } },
    { after, ...push },
  ];
  const id = await draft({ steps: [{ id: "mail", type: "message", ...email, escalate }] });
  const found = (await problems(id)).map(({ code, pointer }: { code: string; pointer: string }) => [code, pointer]);
  expect(found).toEqual([
    ["field_missing", "/steps/0/escalate/0/message_id"],
    ["field_missing", "/steps/0/escalate/1/after"],
    ["template_error", "/steps/0/escalate/1/content/message"],
    ["template_not_found", "/steps/0/escalate/2/content/template_id"],
    ["field_invalid", "/steps/0/escalate/3/content/body"],
  ]);
  const wrong = await call("PATCH", `/campaigns/${id}`, {
    steps: [{ id: "mail", type: "message", ...email, escalate: [{ after, channel: "fax" }] }],
  });
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ pointer: "/steps/0/escalate/0/channel" }] } });
  await it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app: false } });
  const off = await problems(id);
  await it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app: true } });
  expect(off).toContainEqual(
    expect.objectContaining({ code: "in_app_disabled", pointer: "/steps/0/escalate/0/channel", step_id: "mail" }),
  );
});

test("all problems of all steps are told, when it is validated and when it is activated", async () => {
  const id = await draft({
    steps: [
      { id: "mail", type: "message", channel: "email" },
      {
        id: "fork",
        type: "branch",
        then: [{ id: "wait", type: "wait" }],
        else: [
          { id: "end", type: "exit" },
          { id: "never", type: "exit" },
        ],
      },
    ],
  });
  const found = await problems(id);
  expect(found).toEqual([
    { code: "field_missing", step_id: "fork", pointer: "/steps/1/if", message: "is required" },
    { code: "field_missing", step_id: "wait", pointer: "/steps/1/then/0/for", message: "is required, or until" },
    {
      code: "step_unreachable",
      step_id: "never",
      pointer: "/steps/1/else/1",
      message: "can't be reached: the step before it ends the run",
    },
    { code: "field_invalid", step_id: "mail", pointer: "/steps/0/content", message: "is required for email" },
  ]);
  expect(await call("POST", `/campaigns/${id}/activate`)).toMatchObject({
    status: 422,
    body: { code: "campaign_invalid", errors: found },
  });
  expect((await call("GET", `/campaigns/${id}`)).body).toMatchObject({ status: "draft", published: null });
});
