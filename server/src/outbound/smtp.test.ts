import { describe, expect, test } from "vitest";
import { testSmtp } from "../../test/support/mail/smtp.ts";
import { mailService } from "../../test/support/mail/workspace.ts";
import { until } from "../../test/support/wait.ts";
import { sql } from "../platform/db/index.ts";
import { decodeId } from "../platform/ids.ts";

const { it, db, workspaceOn, trigger, logOf, ended, reasonOf, hurry } = await mailService();

describe("an email over SMTP", () => {
  test("arrives as multipart with a text part, encoded names, all recipients and an explicit envelope", async () => {
    const smtp = await testSmtp();
    const { secretKey } = await workspaceOn(smtp.port);
    const id = await trigger(secretKey, {
      cc: ["Copy <copy@example.test>"],
      bcc: ["hidden@example.test"],
      reply_to: "help@acme.test",
      preheader: "First words",
      headers: { "X-Campaign": "spring" },
      attachments: { "größe.txt": Buffer.from("hello").toString("base64") },
    });
    const log = await ended(secretKey, id, "sent");
    expect(log).toMatchObject({ provider: "smtp", attempts: 1 });
    expect(smtp.received).toHaveLength(1);
    const [{ from, to, raw, email: mail }] = smtp.received as [(typeof smtp.received)[number]];
    expect({ from, to }).toEqual({
      from: "hello@acme.test",
      to: ["ada@example.test", "copy@example.test", "hidden@example.test"],
    });
    expect(mail).toMatchObject({
      subject: "Grüße",
      from: { name: "Acme Ünicode", address: "hello@acme.test" },
      to: [{ address: "ada@example.test" }],
      cc: [{ name: "Copy", address: "copy@example.test" }],
      replyTo: [{ address: "help@acme.test" }],
      messageId: `<${id}@acme.test>`,
    });
    expect(mail.text?.trim()).toBe("Hallo Welt [https://acme.test/x]");
    expect(mail.html).toContain("First words");
    expect(mail.attachments[0]).toMatchObject({ filename: "größe.txt" });
    expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).toString()).toBe("hello");
    expect(raw).toMatch(/^Content-Type: multipart\//im);
    expect(raw).toMatch(/^X-Campaign: spring\r?$/m);
    expect(raw).not.toContain("hidden@example.test");
  });

  test("451 is tried again later with the same Message-ID, then it is sent", async () => {
    const smtp = await testSmtp();
    const { secretKey } = await workspaceOn(smtp.port);
    smtp.next.push("451 Try again later");
    const id = await trigger(secretKey);
    // The test looks once: 4 to 6 s later it is tried again by itself.
    const waiting = await until(async () => {
      const log = await logOf(secretKey, id);
      return log.reason && log;
    }, "a reason");
    expect(waiting.reason).toMatch(/451/);
    const attempt = waiting.events.find((event: { type: string }) => event.type === "email.attempt");
    const wait = new Date(waiting.due_at).getTime() - new Date(attempt.at).getTime();
    // This is the first of the waits and not the second, which is at least 24 s.
    expect(wait).toBeGreaterThan(3_500);
    expect(wait).toBeLessThan(20_000);
    await hurry(id);
    const log = await ended(secretKey, id, "sent");
    expect(log.attempts).toBe(2);
    expect(log.events.map((event: { type: string }) => event.type)).toEqual([
      "email.queued",
      "email.attempt",
      "email.sent",
    ]);
    // The provider's answer to each attempt.
    expect(attempt.data).toMatchObject({ attempt: 1, provider: "smtp", reason: expect.stringMatching(/^451/) });
    expect(log.provider_message_id).toMatch(/^250/);
    expect(log.events.at(-1).data).toMatchObject({ attempt: 2, provider_message_id: log.provider_message_id });
    const ids = smtp.attempts.map((raw) => /^Message-ID: (.*)$/im.exec(raw)?.[1]?.trim());
    expect(ids).toEqual([`<${id}@acme.test>`, `<${id}@acme.test>`]);
  });

  test.each([
    ["at the end of the message", (smtp: Awaited<ReturnType<typeof testSmtp>>) => smtp.next.push("550 No such user")],
    [
      "at the recipient",
      (smtp: Awaited<ReturnType<typeof testSmtp>>) => smtp.refuse.set("ada@example.test", "550 No such user"),
    ],
  ])("550 %s fails at once, for good", async (_, prepare) => {
    const smtp = await testSmtp();
    prepare(smtp);
    const { secretKey } = await workspaceOn(smtp.port);
    const id = await trigger(secretKey);
    const log = await ended(secretKey, id, "failed");
    expect(log).toMatchObject({ attempts: 1, due_at: null });
    expect(log.reason).toMatch(/550/);
    expect(log.events.at(-1)).toMatchObject({ type: "email.failed", data: { provider: "smtp" } });
  });

  test("a refused copy does not fail the message; the log says so", async () => {
    const smtp = await testSmtp();
    smtp.refuse.set("copy@example.test", "550 No such user");
    const { secretKey } = await workspaceOn(smtp.port);
    const id = await trigger(secretKey, { cc: ["copy@example.test"] });
    const log = await ended(secretKey, id, "sent");
    expect(log.events.at(-1).data.rejected).toEqual(["copy@example.test"]);
    const refused = await trigger(secretKey, { to: "copy@example.test", cc: ["other@example.test"] });
    expect((await ended(secretKey, refused, "failed")).reason).toMatch(/550/);
  });

  test("where no server answers it is tried again, and fails after the last attempt", async () => {
    const { secretKey } = await workspaceOn(9);
    const id = await trigger(secretKey);
    expect(await reasonOf(secretKey, id)).toMatch(/^no mail server answers at 127.0.0.1:9/);
    await db.execute(sql`update deliveries set attempts = 7 where id = ${decodeId("dlv", id)}`);
    await hurry(id);
    expect(await ended(secretKey, id, "failed")).toMatchObject({ attempts: 8 });
  });

  test("the next provider of the channel is tried before a wait", async () => {
    const smtp = await testSmtp();
    const { secretKey } = await workspaceOn(9);
    const second = {
      name: "Second",
      channel: "email",
      kind: "smtp",
      priority: 5,
      settings: { host: "127.0.0.1", port: smtp.port },
    };
    await it.call("POST", "/api/v1/providers", { key: secretKey, body: second });
    const log = await ended(secretKey, await trigger(secretKey), "sent");
    expect(log.attempts).toBe(1);
    expect(smtp.received).toHaveLength(1);
  });

  test("a stalled server does not slow another workspace's", async () => {
    const [slow, quick] = [await testSmtp(), await testSmtp()];
    const stalled = await workspaceOn(slow.port);
    const working = await workspaceOn(quick.port);
    const warm = await trigger(working.secretKey);
    await ended(working.secretKey, warm, "sent");
    slow.next.push(...Array.from({ length: 300 }, () => "stall" as const));
    await Promise.all(Array.from({ length: 300 }, () => trigger(stalled.secretKey)));
    await until(() => slow.attempts.length === 8, "all of its connections being stuck");
    const ids = await Promise.all(Array.from({ length: 20 }, () => trigger(working.secretKey)));
    // Waiting for a stalled connection would take its 10 minutes.
    await Promise.all(ids.map((id) => ended(working.secretKey, id, "sent")));
    expect(slow.attempts).toHaveLength(8);
  });
});
