import { type Advice, lineAt } from "./advice.ts";
import { readTags } from "./markup.ts";

const OUTPUT = /\{\{-?\s*([\s\S]*?)\s*-?\}\}/;
/** What the service itself fills in for each person. */
const OWN = /^(?:unsubscribe_url|preferences_url)\b/;
const LOCAL = /^https?:\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1\]|10\.|192\.168\.|[^/]*\.local\b)/i;

function codeOf(href: string): Advice["code"] | undefined {
  const address = href.trim();
  if (address === "" || address === "#") return "link_empty";
  const output = OUTPUT.exec(address)?.[1];
  if (output !== undefined && !OWN.test(output) && !/\|\s*default\b/.test(output) && address.startsWith("{{"))
    return "link_default";
  if (address.startsWith("{{") || address.startsWith("{%")) return undefined;
  if (address.startsWith("#")) return undefined;
  if (LOCAL.test(address)) return "link_local";
  if (/^http:/i.test(address)) return "link_http";
  return /^(?:https|mailto|tel|sms):/i.test(address) ? undefined : "link_scheme";
}

/** Links that lead nowhere, or not for everybody. */
export function linkAdvice(body: string): Advice[] {
  const found: Advice[] = [];
  readTags(body, {
    onOpen({ name, attributes, at }) {
      const href = attributes.get("href");
      if (href === undefined || name === "link" || name === "mj-font") return;
      const code = codeOf(href);
      if (code) found.push({ code, part: "body", line: lineAt(body, at), values: { link: href } });
    },
  });
  return found;
}

/** Images without a text for those who don't see them. An empty `alt` says that there is nothing to see. */
export function imageAdvice(body: string): Advice[] {
  const found: Advice[] = [];
  readTags(body, {
    onOpen({ name, attributes, at }) {
      if ((name === "img" || name === "mj-image") && !attributes.has("alt"))
        found.push({ code: "no_alt", part: "body", line: lineAt(body, at) });
    },
  });
  return found;
}
