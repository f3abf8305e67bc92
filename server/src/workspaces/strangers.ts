import { isIPv6 } from "node:net";
import { Problem } from "../platform/http/index.ts";
import { windows } from "../platform/windows.ts";

/** Somebody who mistypes a key finds out within these; somebody who tries keys gets no further. */
const MOST_WRONG = 10;
const MINUTE_MS = 60_000;
const MOST_ADDRESSES = 10_000;

/** The answer to a call without a key that is known. */
export const unauthenticated = (): Problem =>
  new Problem("unauthenticated", "Send a valid API key: Authorization: Bearer KEY, or X-API-Key: KEY.", {
    headers: { "www-authenticate": "Bearer" },
  });

/**
 * Gives the function that is told of each wrong key, and says what to answer: beyond ten a minute from one address that it comes too
 * often. Right keys from there are not asked about: behind the address may be a whole office, or our own proxy.
 */
export function strangers(): (address: string) => Problem {
  const wrong = windows(MINUTE_MS, MOST_ADDRESSES);
  return (address) => {
    const { taken, resetsInS } = wrong.take(networkOf(address), 1, MOST_WRONG);
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
