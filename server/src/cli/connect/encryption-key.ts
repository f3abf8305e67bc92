import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Config } from "../../platform/config.ts";
import { keptSecret } from "../../platform/embedded/index.ts";
import { Refused } from "../terminal/refused.ts";

/** Its name in DATA_DIR. */
export const keyFile = "encryption-key";

/** ENCRYPTION_KEY, else (embedded database only) the key that is made once and kept in DATA_DIR for its owner alone. */
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
