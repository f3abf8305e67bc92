import { BlockList, isIP, isIPv4 } from "node:net";

// The networks of the IANA IPv4 special-purpose registry (RFC 6890 and its updates) that are not the public internet.
const NOT_PUBLIC_V4 = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  NOT_PUBLIC_V4.addSubnet(network, bits);
}

// Public addresses are only in 2000::/3 (RFC 4291), so everything else is refused without a list: ::, ::1, mapped and compatible
// addresses, 64:ff9b::/96, fc00::/7, fe80::/10, ff00::/8. Within 2000::/3, networks that embed IPv4 addresses or serve protocols or
// examples are refused.
const GLOBAL_V6 = new BlockList();
GLOBAL_V6.addSubnet("2000::", 3, "ipv6");
const NOT_PUBLIC_V6 = new BlockList();
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  NOT_PUBLIC_V6.addSubnet(network, bits, "ipv6");
}

/** Whether this is an address (not a name) on the public internet, so that a customer's URL may reach it. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !NOT_PUBLIC_V4.check(address);
  return isIP(address) === 6 && GLOBAL_V6.check(address, "ipv6") && !NOT_PUBLIC_V6.check(address, "ipv6");
}

/** Returns the host of a URL, an IPv6 address without its brackets. The URL parser has already turned `0x7f.1` into 127.0.0.1. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

/** Returns the IP address in a URL, or undefined if the URL contains a host name instead. */
export function literalAddress(url: URL): string | undefined {
  const host = hostOf(url);
  return isIP(host) === 0 ? undefined : host;
}
