import { generateKeyPairSync, type KeyPairKeyObjectResult } from "node:crypto";
import { newId } from "../../../src/platform/ids.ts";

const pem = ({ publicKey, privateKey }: KeyPairKeyObjectResult) => ({
  publicKey: String(publicKey.export({ type: "spki", format: "pem" })),
  privateKey: String(privateKey.export({ type: "pkcs8", format: "pem" })),
});
const rsa = () => pem(generateKeyPairSync("rsa", { modulusLength: 2_048 }));
const ec = () => pem(generateKeyPairSync("ec", { namedCurve: "P-256" }));

/** Keys of this run, which only the emulators know. */
export const keys = { fcm: rsa(), fcmWrong: rsa(), apns: ec(), apnsWrong: ec() };
export const EMAIL = "tidings@acme-1.iam.gserviceaccount.com";

export const fcmSettings = (url: string) => ({
  project_id: "acme-1",
  client_email: EMAIL,
  token_url: `${url}/token`,
  endpoint: url,
});
export const apnsSettings = (endpoint: string) => ({
  team_id: "TEAM123456",
  key_id: "KEY1234567",
  topic: "com.acme.app",
  endpoint,
});

/** A token as Apple issues it. */
export const appleToken = (digit = "a") => digit.repeat(64);

/** A push for one device, as `handOver` passes it to a provider. */
export const pushFor = (device: Record<string, unknown>, extra: Record<string, unknown> = {}) => ({
  title: "Grüße",
  message: "Your order 7 is on its way 🎉",
  ...extra,
  device: { id: newId(), subscription: null, last_used_at: new Date(), ...device },
});
