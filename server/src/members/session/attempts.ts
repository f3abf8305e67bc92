import { Problem } from "../../platform/http/index.ts";
import { windows } from "../../platform/limits/windows.ts";
import { networkOf } from "../../workspaces/index.ts";

const WINDOW_MS = 15 * 60_000;
const MOST_KEPT = 10_000;

/**
 * How many wrong attempts fit into 15 minutes, in each process. The limit of an account from one network is low. That of an account from
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
  count(kind: Kind, account: string, address: string): () => void;
  /** Whether it is the first of such failures of an account from a network in 15 minutes: the others are not told again. */
  isFirst(failure: string, account: string, address: string): boolean;
}

/** Limits the attempts to sign in. An attempt counts before its outcome is known, so that many at once can't pass together. */
export function attemptsOf(): Attempts {
  const counts = windows(WINDOW_MS, MOST_KEPT);
  const told = windows(WINDOW_MS, MOST_KEPT);
  return {
    isFirst: (failure, account, address) => told.take(`${failure} ${networkOf(address)} ${account}`, 1, 1).taken,
    count(kind, account, address) {
      const names = namesOf(kind, account, networkOf(address));
      const taken: string[] = [];
      const takeBack = () => {
        for (const name of taken) counts.giveBack(name);
      };
      for (const [name, most] of names) {
        const result = counts.take(name, 1, most);
        if (!result.taken) {
          takeBack();
          throw new Problem("rate_limited", `Too many attempts. Try again after ${result.resetsInS} s.`, {
            headers: { "retry-after": String(result.resetsInS) },
          });
        }
        taken.push(name);
      }
      return takeBack;
    },
  };
}

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
