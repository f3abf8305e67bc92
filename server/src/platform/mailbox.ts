import { domainToASCII } from "node:url";

/** One mailbox, ready for an envelope: `address` is ASCII. The mail library never parses text that we pass to it. */
export interface Mailbox {
  name?: string;
  address: string;
}

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LOCAL = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`);
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A domain that needs no conversion, as nearly all: ASCII, no IDN, and no number at its end. */
const USUAL = /^(?!.*xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const CONTROL = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/**
 * Parses one bare address `local@domain`: a dot-atom local part of at most 64 characters and a domain of at least two labels (or
 * localhost). Converts an IDN to ASCII. Returns undefined for everything else: lists, comments, quotes, literals, line breaks.
 * (nodemailer delivered `"a@x.org\r\nRCPT TO:<evil@y.org>"` to evil.)
 */
export function address(text: string): string | undefined {
  if (text.length > 320 || CONTROL.test(text)) return undefined;
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at);
  if (at < 1 || local.length > 64 || !LOCAL.test(local)) return undefined;
  const domain = asciiDomain(text.slice(at + 1));
  const whole = domain && `${local}@${domain}`;
  return whole && whole.length <= 254 ? whole : undefined;
}

function asciiDomain(text: string): string | undefined {
  if (text.length <= 253 && USUAL.test(text)) return text;
  // domainToASCII accepts "a/b", "a:1" and percent codes, as a browser's address bar does.
  if (text === "" || /[\s/\\?#@:%[\]<>()",;]/.test(text)) return undefined;
  const domain = domainToASCII(text);
  if (domain === "localhost") return domain;
  const labels = domain.split(".");
  // The last label of a name is never all digits: that would be an IPv4 address.
  const known = labels.length >= 2 && domain.length <= 253 && labels.every((label) => LABEL.test(label));
  return known && !/^\d+$/.test(labels.at(-1) as string) ? domain : undefined;
}

/** Parses `Name <local@domain>`, `"Name" <local@domain>` or a bare address; returns undefined for everything else. */
export function mailbox(text: string): Mailbox | undefined {
  if (CONTROL.test(text)) return undefined;
  const trimmed = text.trim();
  const match = /^([^<>]*)<([^<>]*)>$/.exec(trimmed);
  if (!match) {
    const bare = address(trimmed);
    return bare === undefined ? undefined : { address: bare };
  }
  const found = address((match[2] as string).trim());
  const name = (match[1] as string).trim().replace(/^"(.*)"$/, "$1");
  if (found === undefined || name.includes('"') || name.length > 200) return undefined;
  return name === "" ? { address: found } : { name, address: found };
}
