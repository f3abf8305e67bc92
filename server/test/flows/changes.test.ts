import { describe, expect, test } from "vitest";
import { authored, content } from "../support/changes/authored.ts";
import { everything } from "../support/changes/log.ts";
import { changing, NONE } from "../support/changes/routes.ts";
import { imageForm, pngOf } from "../support/images.ts";
import { webhookService } from "../support/services/webhooks.ts";
import { until } from "../support/wait.ts";

// Each route of the product API that changes something is called here once. Each call must leave one entry in the log of changes, or be
// named in `NONE` with the reason why it leaves none.

const { it, send, log, identify } = await webhookService();
const made: Record<string, string> = {};
const called = new Set<string>();

interface Call {
  ids?: Record<string, string>;
  body?: unknown;
  raw?: string;
  /** The action of the entry that the call must leave. */
  leaves?: string;
}

/** Calls a route and compares the last entry of the log with what the call must leave. Returns the answer. */
async function call(route: string, { ids = {}, body, raw, leaves }: Call = {}) {
  const [method = "", path = ""] = route.split(" ");
  const url = `/api/v1${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? `{${name}}`)}`;
  const headers = raw === undefined ? {} : { "content-type": "text/csv" };
  const answer = await it.call(method as "POST", url, { ...(raw === undefined ? { body } : { raw }), headers });
  expect(answer.status, `${route} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  called.add(route.split("?")[0] as string);
  const { data } = (await it.call("GET", "/api/v1/audit?limit=20")).body;
  const mine = data.filter((one: { request_id: string }) => one.request_id === answer.headers["x-request-id"]);
  if (leaves === undefined) {
    expect(NONE[route], `${route} leaves no entry and is not in the list of exceptions`).toBeDefined();
    return answer;
  }
  const actions = mine.map(({ action }: { action: string }) => action);
  expect(actions, route).toContain(leaves);
  expect(mine[0]).toMatchObject({
    actor: { type: "api_key", name: "secret key" },
    resource: { id: expect.any(String) },
  });
  return answer;
}

const NOT = '"0000000000000000.0"';

describe("what people author", () => {
  test.each(Object.entries(authored))(
    "%s answers with its ETag, and changes only as long as it is the same",
    async (path, { type, input, patch }) => {
      const one = await call(`POST ${path}`, { body: input(made), leaves: `${type}.created` });
      const { id } = one.body;
      made[path] = id;
      const url = `/api/v1${path}/${id}`;
      const got = await it.call("GET", url);
      const half = (tag: string | undefined) => tag?.split(".")[0];
      expect(half(got.headers.etag)).toMatch(/^"[\w-]{16}$/);
      expect(half(one.headers.etag)).toBe(half(got.headers.etag));
      const seen = { "if-none-match": `W/"x", W/${got.headers.etag}` };
      expect(await it.call("GET", url, { headers: seen })).toMatchObject({ status: 304, body: "" });

      for (const tags of [NOT, `W/${got.headers.etag}`]) {
        const refused = await it.call("PATCH", url, { body: patch, headers: { "if-match": tags } });
        expect(refused).toMatchObject({ status: 412, body: { code: "changed_meanwhile" } });
        expect((await it.call("DELETE", url, { headers: { "if-match": tags } })).status).toBe(412);
      }
      const malformed = await it.call("PATCH", url, { body: patch, headers: { "if-match": "abc" } });
      expect(malformed).toMatchObject({ status: 400, body: { errors: [{ parameter: "If-Match" }] } });
      expect((await it.call("GET", url)).headers.etag).toBe(got.headers.etag);

      const changed = await it.call("PATCH", url, {
        body: patch,
        headers: { "if-match": `${NOT}, ${got.headers.etag}` },
      });
      expect(changed, JSON.stringify(changed.body)).toMatchObject({ status: 200 });
      called.add(`PATCH ${path}/{id}`);
      expect(half(changed.headers.etag)).not.toBe(half(got.headers.etag));
      const now = await it.call("GET", url, { headers: seen });
      expect(half(now.headers.etag)).toBe(half(changed.headers.etag));
      const old = { "if-match": got.headers.etag ?? "" };
      // A client repeats its change after it lost the answer.
      const repeated = await it.call("PATCH", url, { body: patch, headers: old });
      expect([repeated.status, half(repeated.headers.etag)]).toEqual([200, half(changed.headers.etag)]);
      const late = await it.call("DELETE", url, { headers: old });
      expect(late.body).toMatchObject({
        code: "changed_meanwhile",
        changed_by: { type: "api_key", id: expect.stringMatching(/^key_/), name: "secret key" },
        changed_at: expect.any(String),
      });
      // A change of nothing leaves the tag and no entry.
      const again = await it.call("PATCH", url, { body: patch, headers: { "if-match": "*" } });
      expect(half(again.headers.etag)).toBe(half(changed.headers.etag));
      const { data } = (await it.call("GET", `/api/v1/audit?resource=${id}`)).body;
      expect(data.map((entry: { action: string }) => entry.action)).toEqual([`${type}.changed`, `${type}.created`]);
      expect(data[0].changes.length).toBeGreaterThan(0);
    },
  );

  test("an image is uploaded as a form, and guarded as everything else", async () => {
    const sent = await it.call("POST", "/api/v1/media", imageForm(pngOf(4, 4)));
    called.add("POST /media");
    const { id } = sent.body;
    const url = `/api/v1/media/${id}`;
    const half = (tag: string | undefined) => tag?.split(".")[0];
    expect(half(sent.headers.etag)).toBe(half((await it.call("GET", url)).headers.etag));
    expect((await it.call("PATCH", url, { body: { alt: "x" }, headers: { "if-match": NOT } })).status).toBe(412);
    await call("PATCH /media/{id}", { ids: { id }, body: { alt: "A square" }, leaves: "image.changed" });
    await call("DELETE /media/{id}", { ids: { id }, leaves: "image.removed" });
    const { data } = (await it.call("GET", `/api/v1/audit?resource=${id}`)).body;
    expect(data.map(({ action }: { action: string }) => action).toReversed()).toEqual([
      "image.created",
      "image.changed",
      "image.removed",
    ]);
  });

  test("settings have an ETag too", async () => {
    const got = await it.call("GET", "/api/v1/workspace");
    const set = (timezone: string) =>
      it.call("PATCH", "/api/v1/workspace", { body: { timezone }, headers: { "if-match": got.headers.etag ?? "" } });
    expect((await set("Europe/Berlin")).status).toBe(200);
    expect((await set("Europe/Berlin")).status).toBe(200);
    expect((await set("Europe/Paris")).status).toBe(412);
    await call("PATCH /workspace", { body: { name: "Renamed" }, leaves: "workspace.changed" });
  });

  test("of ten changes of one state at once, one is made", async () => {
    const url = `/api/v1/audiences/${made["/audiences"]}`;
    for (const path of ["audiences", "email-templates", "broadcasts"].map(
      (name) => `/api/v1/${name}/${made[`/${name}`]}`,
    )) {
      const { etag = "" } = (await it.call("GET", path)).headers;
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          it.call("PATCH", path, { body: { name: `N${i}` }, headers: { "if-match": etag } }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
    }
    expect((await it.call("GET", url)).status).toBe(200);
  });
});

describe("each change leaves an entry", () => {
  test("moves of campaigns and broadcasts", async () => {
    const campaign = { id: made["/campaigns"] ?? "" };
    const steps = [{ id: "wait", type: "wait", for: { amount: 1, unit: "days" } }];
    await it.call("PATCH", `/api/v1/campaigns/${campaign.id}`, { body: { steps } });
    await call("POST /campaigns/{id}/activate", { ids: campaign, body: {}, leaves: "campaign.activated" });
    await call("POST /campaigns/{id}/pause", { ids: campaign, leaves: "campaign.paused" });
    await call("POST /campaigns/{id}/resume", { ids: campaign, leaves: "campaign.resumed" });
    await call("POST /campaigns/webhook-secret", { body: {}, leaves: "workspace.call_secret_changed" });
    await call("POST /campaigns/{id}/archive", { ids: campaign, leaves: "campaign.archived" });

    const scheduled = { id: made["/broadcasts"] ?? "" };
    const send_at = new Date(Date.now() + 86_400_000).toISOString();
    const schedule = { ids: scheduled, body: { send_at, allow_empty: true }, leaves: "broadcast.scheduled" };
    await call("POST /broadcasts/{id}/schedule", schedule);
    await call("POST /broadcasts/{id}/cancel", { ids: scheduled, leaves: "broadcast.canceled" });
    for (const person of ["ann", "bob", "cid"]) await identify(person);
    const slow = { ...authored["/broadcasts"]?.input(made), rate_per_second: 1 };
    const ids = { id: (await call("POST /broadcasts", { body: slow, leaves: "broadcast.created" })).body.id };
    await call("POST /broadcasts/{id}/send", { ids, body: {}, leaves: "broadcast.started" });
    await call("POST /broadcasts/{id}/pause", { ids, leaves: "broadcast.paused" });
    await call("POST /broadcasts/{id}/resume", { ids, leaves: "broadcast.resumed" });
    await call("POST /broadcasts/{id}/recall", { ids, leaves: "broadcast.recalled" });
    // A message that is recalled is still defined.
    const message = { id: made["/in-app-messages"] ?? "" };
    await call("POST /in-app-messages/{id}/recall", { ids: message, leaves: "in_app_message.recalled" });
  });

  test("what the service does by itself", async () => {
    const { body } = await it.call("POST", "/api/v1/broadcasts", { body: authored["/broadcasts"]?.input(made) });
    await it.call("POST", `/api/v1/broadcasts/${body.id}/send`, { body: {} });
    const entries = async () => (await it.call("GET", `/api/v1/audit?resource=${body.id}&actor=system`)).body.data;
    const [entry] = await until(async () => ((await entries()).length > 0 ? entries() : undefined), "the end");
    expect(entry).toMatchObject({
      action: "broadcast.finished",
      actor: { type: "system", id: null, name: "Tidings" },
      changes: [{ field: "/status", from: "sending", to: "sent" }],
      request_id: null,
    });
  });

  test("keys, secrets, providers and webhooks, without the secrets themselves", async () => {
    const key = await call("POST /api-keys", { body: { kind: "secret", name: "CI" }, leaves: "api_key.created" });
    const ids = { id: key.body.id };
    const rolled = await call("POST /api-keys/{id}/roll", { ids, body: {}, leaves: "api_key.rolled" });
    await call("DELETE /api-keys/{id}", { ids, leaves: "api_key.revoked" });
    const signing = await call("POST /signing-secrets", { body: {}, leaves: "signing_secret.created" });
    await call("DELETE /signing-secrets/{kid}", { ids: signing.body, leaves: "signing_secret.revoked" });
    const hook = { id: made["/webhooks"] ?? "" };
    const secret = await call("POST /webhooks/{id}/secret", { ids: hook, body: {}, leaves: "webhook.secret_changed" });
    const since = new Date(Date.now() - 60_000).toISOString();
    await call("POST /webhooks/{id}/replay", { ids: hook, body: { since }, leaves: "webhook.replayed" });
    await identify("dan");
    const logged = await until(async () => (await log(hook.id))[0], "a call of the webhook");
    await call("POST /webhooks/{id}/deliveries/{delivery_id}/replay", {
      ids: { ...hook, delivery_id: logged.id },
      leaves: "webhook.replayed",
    });
    const smtp = {
      channel: "email",
      kind: "smtp",
      name: "Mail",
      settings: { host: "127.0.0.1", port: 2525, user: "u" },
    };
    const credentials = { password: "hunter2-hunter2" };
    const provider = await call("POST /providers", { body: { ...smtp, credentials }, leaves: "provider.created" });
    const again = { credentials: { password: "hunter3-hunter3" } };
    await call("PATCH /providers/{id}", { ids: provider.body, body: again, leaves: "provider.changed" });
    const { data } = (await it.call("GET", `/api/v1/audit?resource=${provider.body.id}&action=provider.changed`)).body;
    expect(data[0].changes).toEqual([{ field: "/credentials", from: "changed", to: "changed" }]);
    const spare = (await it.call("POST", "/api/v1/providers", { body: { ...smtp, name: "Spare" } })).body;
    const [first, second] = [spare.id, provider.body.id];
    const ordered = await call("POST /providers/order", {
      body: { channel: "email", providers: [first, second] },
      leaves: "provider.changed",
    });
    expect(ordered.body.data).toMatchObject([
      { id: first, priority: 0 },
      { id: second, priority: 1 },
    ]);
    expect((await it.call("GET", `/api/v1/audit?resource=${second}`)).body.data[0].changes).toEqual([
      { field: "/priority", from: 0, to: 1 },
    ]);
    await it.call("DELETE", `/api/v1/providers/${first}`);
    const all = JSON.stringify(await everything(it));
    for (const text of ["hunter", key.body.key, rolled.body.key, signing.body.secret, secret.body.secret])
      expect(all).not.toContain(text);
    await call("DELETE /providers/{id}", { ids: provider.body, leaves: "provider.removed" });
  });

  test("people and addresses, without saying who they are", async () => {
    for (const person of ["victim", "double"]) await identify(person);
    await call("POST /people/{person_id}/merge", {
      ids: { person_id: "double" },
      body: { into: "victim" },
      leaves: "person.merged",
    });
    const address = { channel: "email", address: "victim@example.test" };
    await call("POST /suppressions", { body: address, leaves: "suppression.created" });
    await call(`DELETE /suppressions?${new URLSearchParams(address)}`, { leaves: "suppression.removed" });
    await call("POST /suppressions/import", { raw: "email\nvictim@example.test\n", leaves: "import.started" });
    const list = (await it.call("POST", "/api/v1/audiences", { body: { name: "List", kind: "list" } })).body;
    await call("POST /audiences/{id}/import", { ids: list, raw: "person_id\nvictim\n", leaves: "import.started" });
    await call("DELETE /people/{person_id}", { ids: { person_id: "victim" }, leaves: "person.erased" });
    expect(JSON.stringify(await everything(it))).not.toMatch(/victim|double/);
    const { data } = (await it.call("GET", "/api/v1/audit?person_id=victim")).body;
    expect(data.map((entry: { action: string }) => entry.action)).toEqual(["person.erased"]);
    expect((await it.call("GET", "/api/v1/audit?person_id=victim&resource=person")).status).toBe(400);
  });

  test("deliveries that an operator moves", async () => {
    const id = await send();
    const sent = async () => (await it.call("GET", `/api/v1/deliveries/${id}`)).body.status === "sent";
    await until(sent, "the email");
    await call("POST /deliveries/{id}/resend", { ids: { id }, leaves: "delivery.resent" });
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const body = { identifiers: { email: "a@example.test" }, ...content, send_at };
    const later = await it.call("POST", "/data-gateway/transactionals/email", { body });
    await call("POST /deliveries/{id}/cancel", { ids: { id: later.body.delivery_id }, leaves: "delivery.canceled" });
    const shown = await it.call("POST", `/api/v1/in-app-messages/${made["/in-app-messages"]}/test-sends`, {
      body: { person_id: "ann" },
    });
    await call("POST /deliveries/{id}/recall", { ids: { id: shown.body.delivery_id }, leaves: "delivery.recalled" });
  });

  test("members, and where they sign in", async () => {
    const invited = await call("POST /members", {
      body: { email: "ada@example.test", role: "viewer" },
      leaves: "member.created",
    });
    const ids = { id: invited.body.id };
    await call("PATCH /members/{id}", { ids, body: { role: "editor" }, leaves: "member.changed" });
    await call("DELETE /members/{id}", { ids, leaves: "member.removed" });
    const provider = { issuer: "https://id.example.com", client_id: "tidings", client_secret: "a-secret" };
    await call("PUT /oidc", { body: { ...provider, role_mapping: null }, leaves: "identity_provider.created" });
    await call("DELETE /oidc", { leaves: "identity_provider.removed" });
  });

  test("removals", async () => {
    const template = { id: made["/email-templates"] ?? "", version: "1" };
    await call("POST /email-templates/{id}/versions/{version}/restore", {
      ids: template,
      leaves: "email_template.restored",
    });
    for (const [path, { type }] of Object.entries(authored).toReversed())
      await call(`DELETE ${path}/{id}`, { ids: { id: made[path] ?? "" }, leaves: `${type}.removed` });
  });

  test("every route that changes something was called, or is named with a reason", async () => {
    const { paths } = (await it.call("GET", "/openapi.json", { key: null })).body;
    expect(changing(paths).toSorted()).toEqual([...called, ...Object.keys(NONE)].toSorted());
  });
});
