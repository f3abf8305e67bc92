import { isIPv6 } from "node:net";
import { Problem } from "../../platform/http/index.ts";
import { windows } from "../../platform/limits/windows.ts";

/** Different ones. Somebody who mistypes a key finds out within these; somebody who tries keys gets no further. */
const MOST_WRONG = 10;
const MINUTE_MS = 60_000;
const MOST_KEPT = 10_000;

/** The answer to a call without a key that is known. */
export const unauthenticated = (): Problem =>
  new Problem("unauthenticated", "Send a valid API key: Authorization: Bearer KEY, or X-API-Key: KEY.", {
    headers: { "www-authenticate": "Bearer" },
  });

/**
 * Gives the function that is told of each wrong key, by its digest, and says what to answer: beyond ten of them a minute from one
 * address that they come too often. One that comes again and again is a client that was set up wrong, and goes on being told so. Right
 * keys from there are not asked about: behind the address may be a whole office, or our own proxy.
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

/** Of IPv6 the first 64 bits, which is what one household or machine is given: it can call from each address behind them. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes(".")) return address;
  const [head = "", tail] = address.split("%", 1)[0]?.split("::") ?? [];
  const [before, after] = [head, tail ?? ""].map((part) => (part === "" ? [] : part.split(":"))) as [
    string[],
    string[],
  ];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array(zeros).fill("0"), ...after].slice(0, 4).join(":");
}
