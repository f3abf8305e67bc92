import { createHmac } from "node:crypto";
import { describe, expect, expectTypeOf, test, vi } from "vitest";
import { Webhook } from "standardwebhooks";
import { testService } from "../../../server/test/support/service.ts";
import { etagOf, Tidings, type TidingsError, verifyWebhook } from "../src/index.ts";

describe("the product API", async () => {
  const it = await testService();
  const tidings = new Tidings({ baseUrl: await it.service.listen(), secretKey: it.secretKey, maxRetries: 0 });

  test("makes, lists, reads, changes and removes, and has the other verbs of a resource", async () => {
    const audience = await tidings.audiences.create({
      name: "Pro",
      filter: { attribute: "plan", op: "eq", value: "pro" },
    });
    const draft = { name: "News", channel: "email" as const, audience_id: audience.id };
    const broadcast = await tidings.broadcasts.create({ ...draft, content: { subject: "Hi", body: "<p>Hi</p>" } });
    expect((await tidings.broadcasts.list({ limit: 1 })).data.map(({ id }) => id)).toEqual([broadcast.id]);
    expect((await tidings.broadcasts.update(broadcast.id, { name: "Newer" })).name).toBe("Newer");
    expect(await tidings.broadcasts.preflight(broadcast.id)).toMatchObject({ audience: 0 });
    expect(await tidings.broadcasts.remove(broadcast.id)).toBeUndefined();
    await expect(tidings.broadcasts.get(broadcast.id)).rejects.toMatchObject({ code: "not_found", status: 404 });
    expect((await tidings.workspace.get()).name).toBe("Test workspace");
  });

  test("gives the ETag of an answer, with which a change fails once somebody else was faster", async () => {
    const read = await tidings.workspace.get();
    const etag = etagOf(read);
    const changed = await tidings.workspace.update({ timezone: "Europe/Berlin" }, { ifMatch: etag as string });
    expect(etagOf(changed)).not.toBe(etag);
    await expect(tidings.workspace.update({ timezone: "UTC" }, { ifMatch: etag as string })).rejects.toMatchObject({
      code: "changed_meanwhile",
      status: 412,
    });
    expect([etagOf({ ...read }), etagOf(await tidings.audiences.list())]).toEqual([undefined, undefined]);
  });

  test("takes and gives files of CSV", async () => {
    const list = await tidings.audiences.create({ name: "Listed", kind: "list" });
    await tidings.identify({ person_id: "a/b ?", attributes: {} });
    expect((await tidings.audiences.import(list.id, "person_id\na/b ?\n")).status).toBe("done");
    expect(await tidings.audiences.export(list.id)).toContain("a/b ?");
    expect(await tidings.audiences.removeMember(list.id, "a/b ?")).toBeUndefined();
  });

  test("starts a run of a campaign, looks into it, moves it and ends all runs with a key", async () => {
    const wait = (id: string) => ({ id, type: "wait" as const, for: { amount: 1, unit: "days" as const } });
    const steps = [wait("first"), wait("second")];
    const { id } = await tidings.campaigns.create({ name: "Unpaid", trigger: { type: "api" }, steps });
    await tidings.campaigns.activate(id);
    await tidings.identify({ person_id: "ada" });
    const run = { person_id: "ada", data: { order: 7 }, cancellation_key: "order-7" };
    const once = { idempotencyKey: "order-7" };
    const { run_id } = await tidings.campaigns.startRun(id, run, once);
    expect(await tidings.campaigns.startRun(id, run, once)).toEqual({ run_id });
    const refused = await tidings.campaigns.startRun(id, run).catch((thrown) => thrown);
    expect(refused).toMatchObject({ code: "already_entered", status: 409 });
    expectTypeOf<"already_entered">().toExtend<TidingsError["code"]>();
    expect((await tidings.campaigns.runs(id, { person_id: "ada" })).data.map((one) => one.id)).toEqual([run_id]);
    expect((await tidings.campaigns.moveRun(id, run_id, { step_id: "second" })).step_id).toBe("second");
    expect(await tidings.campaigns.cancelRuns(id, { cancellation_key: "order-7" })).toEqual({ canceled: 1 });
    expect(await tidings.campaigns.run(id, run_id)).toMatchObject({ status: "canceled", data: { order: 7 } });
  });

  test("makes one thing of two calls with one key, and never calls with an id that is missing", async () => {
    const same = { idempotencyKey: "topic-1" };
    const topic = { name: "Offers", default: "subscribed" as const };
    const [first, second] = [await tidings.topics.create(topic, same), await tidings.topics.create(topic, same)];
    expect(second.id).toBe(first.id);
    await expect(tidings.topics.remove("")).rejects.toThrow("id must be given");
  });
});

describe("new Tidings() without arguments", () => {
  test("reads its variables, or says what it needs", () => {
    vi.stubEnv("TIDINGS_URL", "http://localhost:4000");
    expect(() => new Tidings()).toThrow("set TIDINGS_SECRET_KEY");
    vi.stubEnv("TIDINGS_SECRET_KEY", "tid_sec_abc");
    expect(() => new Tidings()).not.toThrow();
    vi.stubEnv("TIDINGS_URL", "");
    expect(() => new Tidings()).toThrow("set TIDINGS_URL");
    vi.unstubAllEnvs();
  });
});

describe("a webhook's call", () => {
  const secret = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
  const body = JSON.stringify({ id: "evt_1", type: "email.bounced", timestamp: "2026-01-01T00:00:00.000Z", data: {} });
  const headers = (id = "evt_1", at = new Date(), from = secret) => ({
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(from).sign(id, at, body),
  });

  test("that Tidings made is its event, also while two secrets count", () => {
    expect(verifyWebhook(body, headers(), secret)).toMatchObject({ id: "evt_1", type: "email.bounced" });
    expect(verifyWebhook(Buffer.from(body), new Headers(headers()), [`whsec_${"A".repeat(44)}`, secret]).id).toBe(
      "evt_1",
    );
    const both = { ...headers(), "webhook-signature": `v1,AAAA v1a,xyz ${headers()["webhook-signature"]}` };
    expect(verifyWebhook(body, both, secret).id).toBe("evt_1");
  });

  test.each([
    ["of a changed body", () => verifyWebhook(`${body} `, headers(), secret)],
    ["of another id", () => verifyWebhook(body, { ...headers(), "webhook-id": "evt_2" }, secret)],
    ["of another secret", () => verifyWebhook(body, headers("evt_1", new Date(), `whsec_${"B".repeat(44)}`), secret)],
    ["of ten minutes ago", () => verifyWebhook(body, headers("evt_1", new Date(Date.now() - 600_000)), secret)],
    ["without a signature", () => verifyWebhook(body, { ...headers(), "webhook-signature": undefined }, secret)],
  ])("%s is refused", (_name, verify) => {
    expect(verify).toThrow(expect.objectContaining({ code: "webhook_invalid" }));
  });

  test("is never taken with an empty secret, with which anybody could sign", () => {
    const at = String(Math.floor(Date.now() / 1_000));
    const forged = createHmac("sha256", "").update(`evt_1.${at}.${body}`).digest("base64");
    const signed = { "webhook-id": "evt_1", "webhook-timestamp": at, "webhook-signature": `v1,${forged}` };
    expect(() => verifyWebhook(body, signed, "whsec_")).toThrow(TypeError);
  });
});
