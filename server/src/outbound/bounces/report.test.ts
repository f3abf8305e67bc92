import fc from "fast-check";
import { expect, test } from "vitest";
import { dsn } from "../../../test/support/mail/dsn.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import { readReport } from "./report.ts";

const deliveryId = newId();
const id = encodeId("dlv", deliveryId);
const notice = { id, recipient: "ada@example.test", status: "5.1.1" };

test.each(["message-id", "envid", "address"] as const)("a report is recognized by its %s", async (by) => {
  expect(await readReport(Buffer.from(dsn({ ...notice, by })))).toEqual({
    deliveryId,
    recipients: [
      { recipient: "ada@example.test", action: "failed", status: "5.1.1", diagnostic: "550 5.1.1 no such user" },
    ],
  });
});

test("a whole returned message counts like its headers, and a final recipient counts where there is no original one", async () => {
  const text = dsn(notice)
    .replace("text/rfc822-headers", "message/rfc822")
    .replace(/^Original-Recipient.*\n/m, "");
  expect(await readReport(Buffer.from(text.replaceAll("\n", "\r\n")))).toMatchObject({
    deliveryId,
    recipients: [{ recipient: "alias-of-ada@example.test" }],
  });
});

test.each([
  ["an answer", "From: a@b.test\nSubject: Re: Hi\n\nThank you!"],
  ["a report about a message of another sender", dsn({ ...notice, id: "x" })],
  ["an empty mail", ""],
])("%s is no report", async (_what, text) => {
  expect(await readReport(Buffer.from(text))).toBeUndefined();
});

test("a report without a valid status is about no recipient", async () => {
  expect(await readReport(Buffer.from(dsn({ ...notice, status: "bad" })))).toEqual({ deliveryId, recipients: [] });
});

test("a mail that is cut off or changed in any way is read as a report or as none", async () => {
  const whole = Buffer.from(dsn(notice));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(whole.length),
      fc.nat(whole.length),
      fc.uint8Array({ maxLength: 40 }),
      async (a, b, noise) => {
        const raw = Buffer.concat([whole.subarray(0, a), noise, whole.subarray(b)]);
        const report = await readReport(raw).catch(() => undefined);
        if (report) expect(report.deliveryId).toMatch(/^[0-9a-f-]{36}$/);
      },
    ),
    { numRuns: 200 },
  );
});

test("of a report about thousands of recipients a part is read", async () => {
  const block = "\n\nFinal-Recipient: rfc822; x@example.test\nAction: failed\nStatus: 5.1.1\n";
  const text = dsn(notice).replace("\n\nFinal-Recipient", `${block.repeat(700)}\n\nFinal-Recipient`);
  expect((await readReport(Buffer.from(text)))?.recipients.length).toBe(200);
});
