import { expect, test } from "vitest";
import { sql } from "../../src/platform/db/index.ts";
import { emailKinds, smsKinds } from "../support/providers/kinds.ts";
import { providerService } from "../support/services/providers.ts";
import { until } from "../support/wait.ts";

// Every provider of a workspace rests while people pass a campaign: its steps go on, and its messages wait, each once.

const { it, workspaceWith } = await providerService();
const { db } = it.service.ground;
const kindOf = <K extends { kind: string }>(kinds: K[], kind: string) => kinds.find((one) => one.kind === kind) as K;
const postmark = kindOf(emailKinds, "postmark");
const gateway = kindOf(smsKinds, "http");

const PEOPLE = 40;

test("people go through all steps while every provider rests, and each message waits once", async () => {
  const [mail, sms] = [await postmark.start(), await gateway.start()];
  const { key } = await workspaceWith("sms", [{ setup: gateway, url: sms.url }]);
  const call = async (method: "POST" | "GET", path: string, body?: object) => {
    const answer = await it.call(method, path, { key, ...(body && { body }) });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const settings = postmark.settings(mail.url);
  await call("POST", "/api/v1/providers", {
    name: "Mail",
    channel: "email",
    kind: "postmark",
    settings,
    credentials: postmark.credentials,
  });
  for (const far of [mail, sms])
    far.next.push(...Array.from({ length: 10 * PEOPLE }, () => ({ status: 503, headers: { "retry-after": "300" } })));
  const people = Array.from({ length: PEOPLE }, (_, i) => `rest-${i}`);
  await call("POST", "/data-gateway/v1/batch", {
    items: people.map((id) => ({
      type: "identify",
      person_id: id,
      attributes: { email: `${id}@example.test`, phone: "+4915112345678" },
    })),
  });
  const { id } = await call("POST", "/api/v1/campaigns", {
    name: "Rest",
    trigger: { type: "event", name: "came" },
    steps: [
      { id: "mail", type: "message", channel: "email", content: { from: "a@acme.test", subject: "S", body: "B" } },
      { id: "text", type: "message", channel: "sms", content: { body: "B" } },
      { id: "mark", type: "update", attributes: { done: true } },
    ],
  });
  await call("POST", `/api/v1/campaigns/${id}/activate`, {});
  await call("POST", "/data-gateway/v1/batch", {
    items: people.map((person_id) => ({ type: "track", person_id, eventName: "came" })),
  });
  await until(async () => {
    const { steps } = await call("GET", `/api/v1/campaigns/${id}/metrics`);
    return steps.mark.passed === PEOPLE;
  }, "the last step of all");
  const { data } = await call("GET", `/api/v1/campaigns/${id}/runs?status=completed&limit=100`);
  expect(data).toHaveLength(PEOPLE);
  const rows = await db.query(sql`
    select channel, count(*)::integer as n, count(distinct person_key)::integer as people from deliveries
    where source = 'campaign' and status in ('queued', 'sending') group by 1 order by 1`);
  expect(rows).toEqual([
    { channel: "email", n: PEOPLE, people: PEOPLE },
    { channel: "sms", n: PEOPLE, people: PEOPLE },
  ]);
});
