import { describe, expect, test } from "vitest";
import { imageForm, pngOf } from "../support/images.ts";
import { testService } from "../support/service.ts";

// Only the key decides the workspace: every route is tried with every kind of id of another workspace, and must answer
// as it does for an id that does not exist.

const it = await testService();
const theirs = await it.another("Theirs");
const make = async (url: string, body: unknown) => {
  const answer = await it.call("POST", url, { key: theirs.secretKey, body });
  expect(answer.status, `${url} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
};

await make("/data-gateway/v1/identify", { person_id: "victim", attributes: { email: "victim@example.org" } });
const message = await make("/api/v1/in-app-messages", { name: "Theirs", render_type: "modal", body: "secret words" });
const transactional = await make("/api/v1/transactionals", {
  name: "Theirs",
  trigger_name: "their_receipt",
  channel: "email",
  subscription_preference: "all",
  content: { subject: "secret words", body: "secret words", from: "a@example.org" },
});
const template = await make("/api/v1/email-templates", { name: "Theirs", subject: "secret words", body: "x" });
const layout = await make("/api/v1/email-layouts", { name: "Theirs", body: "{{ content }}" });
const snippet = await make("/api/v1/snippets", { name: "theirs", body: "secret words" });
const provider = await make("/api/v1/providers", { channel: "email", kind: "local", name: "Theirs" });
const webhook = await make("/api/v1/webhooks", { url: "https://hooks.example.org/theirs" });
const destination = await make("/api/v1/export-destinations", {
  name: "secret words",
  kind: "s3",
  settings: { bucket: "theirs", region: "eu-central-1" },
  credentials: { access_key_id: "AKIDEXAMPLE", secret_access_key: "secret words" },
});
const key = await make("/api/v1/api-keys", { kind: "public" });
const invited = await make("/api/v1/members", { email: "theirs@example.org", role: "viewer" });
const inApp = await make(`/api/v1/in-app-messages/${message.id}/test-sends`, { person_id: "victim" });
const email = await make("/data-gateway/transactionals/email", {
  transactional_message_id: transactional.id,
  identifiers: { id: "victim" },
});

const broadcast = await make("/api/v1/broadcasts", {
  name: "secret words",
  channel: "in_app",
  audience: { all: [] },
  message_id: message.id,
});
const audience = await make("/api/v1/audiences", { name: "secret words", kind: "list" });
const campaign = await make("/api/v1/campaigns", { name: "secret words", trigger: { type: "api" }, steps: [] });
const topic = await make("/api/v1/topics", { name: "secret words", default: "subscribed" });
const uploaded = imageForm(pngOf(4, 4), { name: "secret words" });
const image = (await it.call("POST", "/api/v1/media", { key: theirs.secretKey, ...uploaded })).body;
await make("/api/v1/suppressions", { channel: "email", address: "victim@example.org" });

const existing: string[] = [
  topic.id,
  image.id,
  audience.id,
  broadcast.id,
  campaign.id,
  message.id,
  transactional.id,
  template.id,
  layout.id,
  snippet.id,
  provider.id,
  webhook.id,
  destination.id,
  key.id,
  invited.id,
  inApp.delivery_id,
  email.delivery_id,
  "victim",
  "their_receipt",
];
/** Returns the id with other digits: well-formed, and not existing. */
const nowhere = (id: string) => (id.includes("_0") ? `${id.slice(0, -6)}zzzzzz` : `${id}-nowhere`);

interface Operation {
  security?: object[];
  requestBody?: unknown;
}
const document = (await it.call("GET", "/openapi.json", { key: null })).body as {
  paths: Record<string, Record<string, Operation>>;
};
/** Whether only a session opens it, or nothing is needed. */
const isPersonal = ({ security }: Operation): boolean =>
  security !== undefined && !security.some((way) => "bearer" in way);
const routes = Object.entries(document.paths)
  // The pages for recipients take a signed link instead of an id; they have their own tests.
  .filter(([path]) => /^\/(?:api|data-gateway|callbacks)\//.test(path))
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase() as "GET",
      path,
      operation,
    })),
  )
  // The routes of a person who uses the dashboard take a session instead of a key; server/src/members has their tests.
  .filter(({ path, operation }) => path.startsWith("/callbacks/") || !isPersonal(operation));

/** Returns a body that the route accepts, so that only the id decides. */
function bodyFor(path: string, method: string): unknown {
  if (path.includes("/in-app/messages/")) return { person_id: "victim" };
  if (path.endsWith("/subscriptions")) return { subscribed: false };
  if (path.endsWith("/merge")) return { into: "mine" };
  if (path.includes("/transactionals/{") && path.endsWith("/send")) return { person_id: "mine" };
  if (path.endsWith("/test-sends") || path.endsWith("/runs")) return { person_id: "mine" };
  if (path.endsWith("/runs/cancel")) return { cancellation_key: "mine" };
  if (path.endsWith("/runs/move")) return { filter: { step: "mine" }, step_id: "other" };
  if (/\/runs\/(skip|retry|end)$/.test(path)) return { filter: { step: "mine" } };
  if (path.includes("/members/")) return { role: "viewer" };
  if (path.endsWith("/move")) return { step_id: "mine" };
  if (path.endsWith("/schedule")) return { send_at: "2100-01-01T00:00:00Z" };
  if (path.includes("/broadcasts/") && path.endsWith("/preview")) return { person_id: "mine" };
  if (path.endsWith("/test")) return { to: "me@example.org" };
  if (path.includes("/snippets/")) return { body: "taken over" };
  if (path.includes("/campaigns/") && path.endsWith("/replay")) return { days: 1 };
  if (path.endsWith("/replay")) return { since: "2026-01-01T00:00:00Z" };
  if (path.includes("/webhooks/")) return method === "PATCH" ? { description: "taken over" } : {};
  return method === "PATCH" ? { name: "taken over" } : {};
}

describe("another workspace's ids", () => {
  const withIds = routes.filter(({ path }) => path.includes("{"));

  test("there are routes with ids to try", () => {
    expect(withIds.length).toBeGreaterThan(12);
  });

  test.each(withIds.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s answers as for an id that does not exist",
    async (_name, { method, path, operation }) => {
      for (const id of existing) {
        const call = (value: string) =>
          it.call(
            method,
            path.replace("{version}", "1").replaceAll(/\{[^}]+\}/g, encodeURIComponent(value)),
            operation.requestBody ? { body: bodyFor(path, method) } : {},
          );
        const [there, nothing] = [await call(id), await call(nowhere(id))];
        expect(there.status, `${id}: ${JSON.stringify(there.body)}`).toBe(404);
        expect({ ...there.body, request_id: "" }).toEqual({ ...nothing.body, request_id: "" });
      }
    },
  );

  test("a trigger by another workspace's trigger name or id is 404", async () => {
    for (const reference of [transactional.id, "their_receipt"]) {
      const answer = await it.call("POST", "/data-gateway/transactionals/email", {
        body: { transactional_message_id: reference, identifiers: { email: "x@example.org" } },
      });
      expect(answer).toMatchObject({ status: 404, body: { code: "transactional_not_found" } });
    }
  });

  test("lists and sync show nothing of the other workspace", async () => {
    await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: "victim" } });
    for (const { path } of routes.filter(
      ({ method, path }) => method === "GET" && !path.includes("{") && !/\/(stream|live)$/.test(path),
    )) {
      const answer = await it.call("GET", `${path}?person_id=victim`);
      const plain = answer.status === 400 ? await it.call("GET", path) : answer;
      for (const secret of ["secret words", "victim@example.org", inApp.delivery_id, message.id, provider.id, key.id]) {
        expect(JSON.stringify(plain.body), path).not.toContain(secret);
      }
    }
  });

  test("and their data is unchanged", async () => {
    const { body } = await it.call("GET", `/api/v1/in-app-messages/${message.id}`, { key: theirs.secretKey });
    // A broadcast was made with it after it was read.
    expect({ ...body, used_by: [] }).toEqual(message);
    expect(
      (await it.call("GET", `/api/v1/transactionals/${transactional.id}`, { key: theirs.secretKey })).body,
    ).toEqual(transactional);
    const sync = await it.call("GET", "/data-gateway/v1/in-app/messages/sync?person_id=victim", {
      key: theirs.publicKey,
    });
    expect(sync.body).toMatchObject([{ delivery_id: inApp.delivery_id }]);
  });
});
