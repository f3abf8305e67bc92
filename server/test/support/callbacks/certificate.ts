import { createSign, generateKeyPairSync } from "node:crypto";

// Amazon SNS signs with a key whose certificate is at one of Amazon's addresses. Node reads certificates and creates none, so
// this code builds one: RFC 5280 section 4.1, self-signed, with empty names.

const pair = generateKeyPairSync("rsa", { modulusLength: 2_048 });

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const long = Buffer.from([0x82, body.length >> 8, body.length & 255]);
  return Buffer.concat([Buffer.from([tag]), body.length < 128 ? Buffer.from([body.length]) : long, body]);
}
const integer = (value: number) => der(0x02, Buffer.from([value]));
const time = (text: string) => der(0x18, Buffer.from(text));

const sha256WithRsa = Buffer.from("300d06092a864886f70d01010b0500", "hex");
const toSign = der(
  0x30,
  der(0xa0, integer(2)),
  integer(1),
  sha256WithRsa,
  der(0x30),
  der(0x30, time("20200101000000Z"), time("20990101000000Z")),
  der(0x30),
  pair.publicKey.export({ format: "der", type: "spki" }),
);
const signature = createSign("sha256").update(toSign).sign(pair.privateKey);
const certificate = der(0x30, toSign, sha256WithRsa, der(0x03, Buffer.from([0]), signature)).toString("base64");

export const AMAZON_KEY = pair.privateKey;
export const AMAZON_CERTIFICATE = `-----BEGIN CERTIFICATE-----\n${certificate.match(/.{1,64}/g)?.join("\n")}\n-----END CERTIFICATE-----\n`;
