import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Config } from "../../platform/config.ts";
import { keptSecret } from "../../platform/embedded/index.ts";
import { Refused } from "../terminal/refused.ts";

/** The name of the file in DATA_DIR. */
export const keyFile = "encryption-key";

/** Returns ENCRYPTION_KEY, or else, with an embedded database, the key in DATA_DIR. It is created once, and only its owner can read it. */
export async function encryptionKeyOf(config: Config): Promise<Buffer> {
  if (config.encryptionKey) return config.encryptionKey;
  const text = await keptSecret(config.dataDir, keyFile, () => randomBytes(32).toString("base64"));
  const key = Buffer.from(text, "base64");
  if (key.length !== 32) {
    throw new Refused(
      `${join(config.dataDir, keyFile)} does not hold 32 bytes in base64: put the key back from a backup, or remove the file ` +
        "and enter the credentials of all providers again",
    );
  }
  return key;
}
