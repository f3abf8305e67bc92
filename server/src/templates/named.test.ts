import { expect, test } from "vitest";
import { LAYOUTS, SNIPPETS, TEMPLATES, templatesService } from "../../test/support/services/templates.ts";

const { it, template, layout, snippet, read } = await templatesService();
const post = (path: string, body: object) => it.call("POST", `/api/v1${path}`, { body });
const patch = (url: string, body: object) => it.call("PATCH", url, { body });
const using = ({ id }: { id: string }) => ({ template_id: id });
const transactional = (content: object) =>
  post("/transactionals", {
    name: "Receipt",
    subscription_preference: "all",
    channel: "email",
    content,
  });
const broadcast = (content: object) =>
  post("/broadcasts", { name: "News", channel: "email", audience: { all: [] }, content });
const campaign = (content: object) =>
  post("/campaigns", {
    name: "Digest",
    trigger: { type: "api" },
    steps: [
      { id: "gather", type: "batch", window: { amount: 1, unit: "minutes" } },
      { id: "mail", type: "message", channel: "email", content },
    ],
  });

test("a template that reads what a campaign's steps left is for campaigns alone", async () => {
  const one = await template({ subject: "{{batch.count}}", body: "<p>{{steps.gather.batch.count}}</p>" });
  const { id } = (await campaign(using(one))).body;
  expect((await post(`/campaigns/${id}/validate`, {})).body).toEqual({ problems: [] });
  const simulated = await post(`/campaigns/${id}/simulate`, { person: { email: "ada@example.test" }, data: {} });
  expect(simulated.status, JSON.stringify(simulated.body)).toBe(200);
  const sent = simulated.body.timeline.find(({ kind }: { kind: string }) => kind === "message");
  expect(sent.message).toMatchObject({ status: "sent", content: { subject: "1", body: "<p>1</p>" } });

  const plain = await transactional({ subject: "Hi", body: "Hi" });
  const refused = [
    await transactional(using(one)),
    await patch(`/api/v1/transactionals/${plain.body.id}`, { content: using(one) }),
    await broadcast(using(one)),
  ];
  for (const answer of refused) {
    expect(answer).toMatchObject({
      status: 422,
      body: { code: "template_error", errors: [{ pointer: "/content/template_id" }] },
    });
    expect(answer.body.detail).toContain("reads steps.gather.batch.count, which only messages of campaigns have");
  }
  expect(await transactional({ subject: "{{batch.count}}", body: "x" })).toMatchObject({ status: 422 });
  expect(await template({ subject: "{{batch.count}}" })).toMatchObject({ version: 1 });
});

test("a template that others send can't begin to read it: by an edit, a restored version, a layout or a snippet", async () => {
  const frame = await layout("<i>{{ content }}</i>");
  await snippet("coupon", "none");
  const one = await template({ subject: "{{steps.pay.event.total}}", layout_id: frame.id });
  const url = `${TEMPLATES}/${one.id}`;
  expect((await patch(url, { subject: "Hi", body: '{% snippet "coupon" %}' })).status).toBe(200);
  const made = [await transactional(using(one)), await broadcast(using(one)), await campaign(using(one))];
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);

  const reads = "{{steps.pay.event.total}}";
  const { data } = (await it.call("GET", SNIPPETS)).body;
  const changes = () => [
    patch(url, { plaintext: reads }),
    it.call("POST", `${url}/versions/1/restore`),
    patch(`${LAYOUTS}/${frame.id}`, { body: `{{ content }}${reads}` }),
    patch(`${SNIPPETS}/${data[0].id}`, { body: reads }),
  ];
  for (const answer of await Promise.all(changes())) {
    expect(answer).toMatchObject({ status: 422, body: { code: "template_error", used_by: expect.anything() } });
    expect(answer.body.used_by.toSorted()).toEqual(["News", "Receipt"]);
    expect(answer.body.detail).toContain("is also sent by the transactional Receipt, the broadcast News");
  }
  expect(await read(one.id)).toMatchObject({ version: 2 });

  await it.call("DELETE", `/api/v1/transactionals/${made[0]?.body.id}`);
  await it.call("DELETE", `/api/v1/broadcasts/${made[1]?.body.id}`);
  for (const change of changes()) expect((await change).status).toBe(200);
});
