import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import type { FairShare } from "../../platform/limits/fair-share.ts";

/** The work of one hash: N = 2^ln, r = 8. */
export interface PasswordCost {
  ln: number;
  p: number;
}

/** 32 MiB and about 0.1 s of a core for each hash: one of the settings that OWASP gives as equal for scrypt. */
export const PASSWORD_COST: PasswordCost = { ln: 15, p: 3 };

const R = 8;
const BYTES = 32;
const SALT_BYTES = 16;

export interface Passwords {
  hash(password: string, by: string): Promise<string>;
  /** Whether the password is the stored one. An account without a password, or none at all, takes as long as a wrong password. */
  fits(password: string, stored: string | null | undefined, by: string): Promise<boolean>;
  /** Whether the stored hash was made with another cost, and should be made anew while the password is at hand. */
  outdated(stored: string): boolean;
}

/**
 * Returns the functions that hash and compare passwords. `share` bounds how many run at once, with turns among the addresses (`by`) that
 * ask: each takes 32 MiB. @throws Problem busy
 */
export function passwordsOf(cost: PasswordCost, share: FairShare): Passwords {
  const nobody = { ...cost, salt: randomBytes(SALT_BYTES), hash: randomBytes(BYTES) };
  return {
    async hash(password, by) {
      const salt = randomBytes(SALT_BYTES);
      return written(cost, salt, await share.run(by, () => derived(password, salt, cost)));
    },
    async fits(password, stored, by) {
      const known = stored == null ? undefined : read(stored);
      const { salt, hash, ...used } = known ?? nobody;
      const made = await share.run(by, () => derived(password, salt, used));
      return timingSafeEqual(made, hash) && known !== undefined;
    },
    outdated(stored) {
      const { ln, p } = read(stored) ?? {};
      return ln !== cost.ln || p !== cost.p;
    },
  };
}

/** The same text typed on two systems may be composed of other characters: NFKC makes them one, as NIST SP 800-63B recommends. */
export const normalPassword = (text: string): string => text.normalize("NFKC");

function derived(password: string, salt: Buffer, { ln, p }: PasswordCost): Promise<Buffer> {
  const N = 2 ** ln;
  return new Promise((resolve, reject) => {
    scrypt(normalPassword(password), salt, BYTES, { N, r: R, p, maxmem: 256 * N * R }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** In the string format of the Password Hashing Competition. */
const written = ({ ln, p }: PasswordCost, salt: Buffer, hash: Buffer): string =>
  `$scrypt$ln=${ln},r=${R},p=${p}$${salt.toString("base64url")}$${hash.toString("base64url")}`;

function read(stored: string): (PasswordCost & { salt: Buffer; hash: Buffer }) | undefined {
  const [, ln, p, salt, hash] = /^\$scrypt\$ln=(\d+),r=8,p=(\d+)\$([\w-]+)\$([\w-]+)$/.exec(stored) ?? [];
  if (!ln || !p || !salt || !hash) return undefined;
  return { ln: Number(ln), p: Number(p), salt: Buffer.from(salt, "base64url"), hash: Buffer.from(hash, "base64url") };
}
