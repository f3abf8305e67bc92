import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { sql } from "../../src/platform/db/index.ts";
import { FRESH_MS } from "../../src/platform/signals/index.ts";
import { memberService } from "../support/members/members.ts";
import { testService } from "../support/service.ts";
import { until } from "../support/wait.ts";

// A change through one process is obeyed by the others within a second, also by one whose signals are lost: a cache that another process can make
// wrong keeps an entry for FRESH_MS.

const { it: here, encryptionKey, asOwner, invite, workspace } = await memberService();
const deaf = await testService({ databaseUrl: here.databaseUrl, encryptionKey });
// From now on it hears nothing of what other processes say, and nobody notices: as behind a connection that went silent.
await deaf.service.ground.signals.close();

const SYNC = "/data-gateway/v1/in-app/messages/sync?person_id=ada";
const statusThere = async (key: string, headers: Record<string, string> = {}) =>
  (await deaf.call("GET", SYNC, { key, headers })).status;
/** Waits until the deaf process obeys; before the change it did not. */
async function obeys(ask: () => Promise<unknown>, change: () => Promise<unknown>, after: unknown): Promise<void> {
  expect(await ask()).not.toEqual(after);
  await change();
  await until(async () => (await ask()) === after, `the answer ${after}`);
}

test("a process that hears no signal refuses a key that another process revoked", async () => {
  const made = await here.call("POST", "/api/v1/api-keys", { body: { kind: "public" } });
  const { id, key } = made.body;
  const gone = () => here.call("DELETE", `/api/v1/api-keys/${id}`);
  await obeys(() => statusThere(key), gone, 401);
});

test("it obeys new settings of a workspace, and forgets a signing secret", async () => {
  const other = await here.another();
  const { kid, secret } = (await here.call("POST", "/api/v1/signing-secrets", { key: other.secretKey, body: {} })).body;
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: "HS256", kid })
    .setSubject("ada")
    .setExpirationTime("1h")
    .sign(Buffer.from(secret));
  const required = () =>
    here.call("PATCH", "/api/v1/workspace", {
      key: other.secretKey,
      body: { identity_verification: "required" },
    });
  await obeys(() => statusThere(other.publicKey), required, 401);
  const revoked = () => here.call("DELETE", `/api/v1/signing-secrets/${kid}`, { key: other.secretKey });
  await obeys(() => statusThere(other.publicKey, { "x-person-token": token }), revoked, 401);
});

test("it obeys a new provider, and the end of a member's rights", async () => {
  const trigger = async () => {
    const body = { identifiers: { email: "ada@example.org" }, subject: "S", body: "B" };
    return (await deaf.call("POST", "/data-gateway/transactionals/email", { key: here.secretKey, body })).status < 300;
  };
  const settings = { host: "127.0.0.1", port: 2525 };
  const provider = { name: "S", channel: "email", kind: "smtp", settings };
  // Only the local provider has a default sender.
  await obeys(trigger, () => here.call("POST", "/api/v1/providers", { body: provider }), false);

  const { id, token } = await invite("eve@example.org", "editor");
  const accepted = await here.call("POST", "/api/v1/invitations/accept", {
    key: null,
    body: { token, password: "correct horse battery", name: "Eve" },
    headers: { "sec-fetch-site": "same-origin" },
  });
  const cookie = String(accepted.headers["set-cookie"]).split(";")[0] as string;
  const headers = { cookie, "x-tidings-workspace": workspace, "sec-fetch-site": "same-origin" };
  const edits = async () => (await deaf.call("POST", "/api/v1/audiences", { key: null, headers, body: {} })).status;
  await obeys(edits, () => asOwner("PATCH", `/members/${id}`, { role: "viewer" }), 403);
});

test("it lets people enter a campaign that another process activated", async () => {
  const call = (url: string, body: object) => here.call("POST", url, { body });
  const message = await call("/api/v1/in-app-messages", { name: "m", render_type: "modal", body: "b" });
  const steps = [{ id: "a", type: "message", channel: "in_app", message_id: message.body.id }];
  const trigger = { type: "event", name: "came" };
  const campaign = await call("/api/v1/campaigns", { name: "C", trigger, steps });
  expect(campaign.status, JSON.stringify(campaign.body)).toBe(201);
  let events = 0;
  const enters = async () => {
    const body = { person_id: `p${events++}`, eventName: "came" };
    await deaf.call("POST", "/data-gateway/v1/track", { key: here.secretKey, body });
    const runs = await here.service.ground.db.query(sql`select from campaign_runs`);
    return runs.length > 0;
  };
  await obeys(enters, () => call(`/api/v1/campaigns/${campaign.body.id}/activate`, {}), true);
});

// Why another process can't make these caches wrong.
const NEVER_WRONG: Record<string, string> = {
  "campaigns/definition/published.ts": "a version never changes",
  "catalog/notes.ts": "what was noted; each hour it is noted again",
  "content/liquid/compile.ts": "by the whole source",
  "inapp/definition/compiled.ts": "a version never changes",
  "inapp/sync/near-misses.ts": "what was looked up",
  "inapp/sync/test-syncs.ts": "what was noted",
  "outbound/callbacks/sns.ts": "a certificate by its address",
  "platform/limits/cache.ts": "who takes a cache from here says how long its entries live",
  "platform/repeats.ts": "lines of the log of this process",
  "platform/scrub.ts": "by the whole text",
  "platform/time/zones.ts": "time zones of this Node",
  "platform/tracing/otlp.ts": "spans of this process",
  "screens/catalog.ts": "what was written",
  "screens/room.ts": "a limit that may be passed for a minute",
  "sendings/rules/locale.ts": "by the whole text",
  "templates/newest.ts": "a version never changes",
  "workspaces/identity/unverified.ts": "warnings of this process",
};

test("each cache keeps its entries for FRESH_MS, or says why no other process can make it wrong", () => {
  expect(FRESH_MS).toBeLessThan(1_000);
  const src = fileURLToPath(new URL("../../src", import.meta.url));
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const caching = files.filter((name) => readFileSync(`${src}/${name}`, "utf8").match(/new LRUCache|boundedCache[<(]/));
  const lives = (name: string) => readFileSync(`${src}/${name}`, "utf8").match(/\bttl: [\w.]+/g) ?? [];
  expect(caching.filter((name) => lives(name).length === 0).sort()).toEqual(Object.keys(NEVER_WRONG));
  expect(new Set(caching.flatMap(lives))).toEqual(new Set(["ttl: FRESH_MS"]));
});
