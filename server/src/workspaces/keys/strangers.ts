import { isIPv6 } from "node:net";
import { Problem } from "../../platform/http/index.ts";
import { windows } from "../../platform/limits/windows.ts";

/** How many different wrong keys an address may send a minute: enough for typing errors, too few for trying keys out. */
const MOST_WRONG = 10;
const MINUTE_MS = 60_000;
const MOST_KEPT = 10_000;

/** Returns the answer to a call without a valid key. */
export const unauthenticated = (): Problem =>
  new Problem("unauthenticated", "Send a valid API key: Authorization: Bearer KEY, or X-API-Key: KEY.", {
    headers: { "www-authenticate": "Bearer" },
  });

/**
 * Returns the function that takes each wrong key (its digest) and returns the answer: above ten different ones a minute from one address
 * it is a 429. The same wrong key again is a client with a wrong setting, and gets the same 401 again. Valid keys from the address are
 * not counted: behind it may be a whole office, or our own proxy.
 */
export function strangers(): (address: string, key: string) => Problem {
  const wrong = windows(MINUTE_MS, MOST_KEPT);
  const counted = windows(MINUTE_MS, MOST_KEPT);
  return (address, key) => {
    const network = networkOf(address);
    if (!counted.take(`${network} ${key}`, 1, 1).taken) return unauthenticated();
    const { taken, resetsInS } = wrong.take(network, 1, MOST_WRONG);
    if (taken) return unauthenticated();
    return new Problem(
      "rate_limited",
      `Too many wrong API keys came from this address. A right one works; try again after ${resetsInS} s.`,
      { headers: { "retry-after": String(resetsInS) } },
    );
  };
}

/** Returns the first 64 bits of an IPv6 address: a household or machine gets all addresses behind them. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes(".")) return address;
  const [head = "", tail] = address.split("%", 1)[0]?.split("::") ?? [];
  const [before, after] = [head, tail ?? ""].map((part) => (part === "" ? [] : part.split(":"))) as [
    string[],
    string[],
  ];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array(zeros).fill("0"), ...after].slice(0, 4).join(":");
}
