import { describe, expect, test } from "vitest";
import { apnsEmulator } from "../../../test/support/providers/apns.ts";
import { fcmEmulator } from "../../../test/support/providers/fcm.ts";
import { smsKinds } from "../../../test/support/providers/kinds.ts";
import { apnsSettings, appleToken, EMAIL, fcmSettings, keys } from "../../../test/support/providers/push.ts";
import { providerService } from "../../../test/support/services/providers.ts";
import { until } from "../../../test/support/wait.ts";
import { sql } from "../../platform/db/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { giveUp } from "./give-up.ts";

// Deliveries whose providers keep resting.

const { it, workspaceWith, trigger, logOf, ended, givenUp } = await providerService();
const { ground } = it.service;

const gateway = smsKinds.find((one) => one.kind === "http") as (typeof smsKinds)[number];
const sms = (key: string) => trigger(key, "sms", { identifiers: { id: "ada" }, to: "+4915112345678", body: "B" });
const REASON = /^no provider took it within 17 hours/;

/** Makes the delivery as old as if it had been due for the first time this many hours ago. */
const age = (id: string, hours: number) =>
  ground.db.execute(sql`
    update deliveries set first_due_at = now() - ${hours}::integer * interval '1 hour' where id = ${decodeId("dlv", id)}`);
const resting = (key: string, id: string) =>
  until(
    async () => (await it.call("GET", `/api/v1/providers/${id}`, { key })).body.state.status === "resting",
    "the provider resting",
  );

describe("a text message whose only provider rests", () => {
  test("waits for as long as others are repeated, then it fails with the reason", async () => {
    const far = await gateway.start();
    const setup = { ...gateway, credentials: gateway.wrong };
    const { key, ids } = await workspaceWith("sms", [{ setup, url: far.url }]);
    await sms(key);
    await resting(key, ids[0] as string);
    const [young, old] = [await sms(key), await sms(key)];
    await age(young, 17);
    await age(old, 18);
    const log = await givenUp(key, old);
    expect(await logOf(key, young)).toMatchObject({ status: "queued", attempts: 0 });
    expect(log).toMatchObject({ status: "failed", reason: expect.stringMatching(REASON), attempts: 0 });
    expect(log.events.at(-1)).toMatchObject({ type: "sms.failed" });
    expect(far.calls).toHaveLength(1);
    await it.call("PATCH", `/api/v1/providers/${ids[0]}`, { key, body: { credentials: gateway.credentials } });
    await ended(key, young, "sent");
    expect(await logOf(key, old)).toMatchObject({ status: "failed" });
  });

  test("is not given up for its age alone: where another provider works, or none was asked because of a rate", async () => {
    const [wrong, right] = [await gateway.start(), await gateway.start()];
    const { key, ids } = await workspaceWith("sms", [
      { setup: { ...gateway, credentials: gateway.wrong }, url: wrong.url },
      { setup: gateway, url: right.url },
    ]);
    await ended(key, await sms(key), "sent");
    await resting(key, ids[0] as string);
    await it.call("PATCH", `/api/v1/providers/${ids[1]}`, { key, body: { rate_per_second: 0.01 } });
    await ended(key, await sms(key), "sent");
    const slow = await sms(key);
    await until(
      async () => (await logOf(key, slow)).reason === "waits for the rate of http",
      "it waiting for the rate",
    );
    await age(slow, 100);
    await giveUp(ground);
    expect(await logOf(key, slow)).toMatchObject({ status: "queued", attempts: 0 });
  });
});

describe("a push whose provider rests while another works", () => {
  test("waits alone, and fails in the end", async () => {
    const fcm = await fcmEmulator(keys.fcm.publicKey, EMAIL);
    const apns = await apnsEmulator(keys.apns.publicKey);
    const { secretKey: key } = await it.another();
    const ids: string[] = [];
    for (const body of [
      // Apple has another team's key.
      {
        kind: "apns",
        settings: { ...apnsSettings(apns.url), team_id: "0000000000" },
        credentials: { private_key: keys.apns.privateKey },
      },
      { kind: "fcm", settings: fcmSettings(fcm.far.url), credentials: { private_key: keys.fcm.privateKey } },
    ]) {
      const answer = await it.call("POST", "/api/v1/providers", {
        key,
        body: { name: body.kind, channel: "push", ...body },
      });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      ids.push(answer.body.id);
    }
    const made = await it.call("POST", "/api/v1/transactionals", {
      key,
      body: { name: "P", subscription_preference: "all", channel: "push", content: { title: "T", message: "M" } },
    });
    const push = (id: string) => trigger(key, "push", { transactional_message_id: made.body.id, identifiers: { id } });
    for (const [person_id, platform, token] of [
      ["apple", "ios", appleToken("7")],
      ["robot", "android", "all:robot"],
    ])
      await it.call("PUT", "/data-gateway/v1/devices", { key, body: { person_id, platform, token } });
    await push("apple");
    await resting(key, ids[0] as string);
    const waits = await push("apple");
    await until(async () => /^waits until apns/.test((await logOf(key, waits)).reason ?? ""), "the push waiting");
    // Another push of the same lane is sent.
    for (let i = 0; i < 3; i++) await ended(key, await push("robot"), "sent");
    await age(waits, 18);
    await ground.db.execute(sql`update deliveries set due_at = now() where id = ${decodeId("dlv", waits)}`);
    expect((await ended(key, waits, "failed")).reason).toMatch(REASON);
  });
});
