import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { signed } from "./sigv4.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

test("a request is signed as in the example of AWS's documentation", () => {
  const headers = signed({
    method: "GET",
    url: new URL("https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08"),
    headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    bodySha256: sha256(""),
    region: "us-east-1",
    service: "iam",
    credentials: { access_key_id: "AKIDEXAMPLE", secret_access_key: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" },
    now: new Date("2015-08-30T12:36:00.000Z"),
  });
  expect(headers["x-amz-date"]).toBe("20150830T123600Z");
  expect(headers.authorization).toBe(
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, " +
      "SignedHeaders=content-type;host;x-amz-date, " +
      "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7",
  );
});

test("the token of temporary credentials is sent and signed", () => {
  const headers = signed({
    method: "POST",
    url: new URL("https://email.eu-west-1.amazonaws.com/v2/email/outbound-emails"),
    headers: {},
    bodySha256: sha256("{}"),
    region: "eu-west-1",
    service: "ses",
    credentials: { access_key_id: "ASIA1", secret_access_key: "s", session_token: "the-token" },
    now: new Date("2026-01-01T00:00:00.000Z"),
  });
  expect(headers["x-amz-security-token"]).toBe("the-token");
  expect(headers.authorization).toContain("SignedHeaders=host;x-amz-date;x-amz-security-token,");
});
