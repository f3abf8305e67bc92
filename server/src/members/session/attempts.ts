import type { Ground } from "../../platform/ground.ts";
import { Problem } from "../../platform/http/index.ts";
import { windows } from "../../platform/limits/windows.ts";
import { networkOf } from "../../workspaces/index.ts";
import { tokenHash } from "../proof/token.ts";
import { countAttempt, takeAttemptBack } from "../store/attempt-store.ts";

const WINDOW_MS = 15 * 60_000;
const MOST_KEPT = 10_000;

/**
 * How many wrong attempts fit into 15 minutes, over all processes. The limit of an account from one network is low. That of an account from
 * everywhere is higher, because a stranger could otherwise lock a member out; whoever has the password already gets few codes.
 */
const LIMITS = {
  here: 10,
  network: 50,
  account: 50,
  code: 10,
  resets: 5,
  resetsOfNetwork: 20,
  passkeys: 50,
  challenges: 200,
};

type Kind = "password" | "code" | "reset" | "passkey" | "challenge";

export interface Attempts {
  /** Counts an attempt before it is judged. Returns the function that takes it back for a right one. @throws Problem rate_limited */
  count(kind: Kind, account: string, address: string): Promise<() => Promise<void>>;
  /** Whether it is the first of such failures of an account from a network in 15 minutes: the others are not told again. */
  isFirst(failure: string, account: string, address: string): boolean;
}

/**
 * Limits the attempts to sign in. An attempt counts before its outcome is known, so that many at once can't pass together. It is counted in
 * the process first, so that a flood costs the database nothing, and then in the database, where all processes count.
 */
export function attemptsOf({ db, clock }: Pick<Ground, "db" | "clock">): Attempts {
  const counts = windows(WINDOW_MS, MOST_KEPT);
  const told = windows(WINDOW_MS, MOST_KEPT);
  return {
    isFirst: (failure, account, address) => told.take(`${failure} ${networkOf(address)} ${account}`, 1, 1).taken,
    async count(kind, account, address) {
      const names = namesOf(kind, account, networkOf(address));
      const taken: string[] = [];
      const forget = () => {
        for (const name of taken) counts.giveBack(name);
      };
      for (const [name, most] of names) {
        const result = counts.take(name, 1, most);
        if (!result.taken) {
          forget();
          throw tooMany(result.resetsInS);
        }
        taken.push(name);
      }
      // It guards nothing that is secret, and each sign-in page asks for one.
      if (kind === "challenge") return async () => forget();
      const hashes = names.map(([name]) => tokenHash(name));
      const now = clock.now();
      const limits = names.map(([, most]) => most);
      const over = await countAttempt(db, { hashes, limits, now, until: new Date(now.getTime() + WINDOW_MS) });
      const takeBack = async () => {
        forget();
        await takeAttemptBack(db, hashes);
      };
      if (over === undefined) return takeBack;
      await takeBack();
      throw tooMany(Math.max(1, Math.ceil((over.getTime() - now.getTime()) / 1_000)));
    },
  };
}

const tooMany = (seconds: number): Problem =>
  new Problem("rate_limited", `Too many attempts. Try again after ${seconds} s.`, {
    headers: { "retry-after": String(seconds) },
  });

/** The counters that an attempt counts in, with the most of each. */
function namesOf(kind: Kind, account: string, network: string): [name: string, most: number][] {
  switch (kind) {
    case "code":
      return [[`code ${account}`, LIMITS.code]];
    case "passkey":
      return [[`passkey ${network}`, LIMITS.passkeys]];
    case "challenge":
      return [[`challenge ${network}`, LIMITS.challenges]];
    case "reset":
      return [
        [`reset ${account}`, LIMITS.resets],
        [`resets ${network}`, LIMITS.resetsOfNetwork],
      ];
    default:
      return [
        [`here ${network} ${account}`, LIMITS.here],
        [`network ${network}`, LIMITS.network],
        [`account ${account}`, LIMITS.account],
      ];
  }
}
