import PostalMime, { type Email, type Header } from "postal-mime";
import { decodeId } from "../../platform/ids.ts";

/** What a mail server reports of one recipient of a message. */
export interface RecipientStatus {
  recipient: string;
  /** RFC 3464 2.3.3: failed, delayed, delivered, relayed, expanded. */
  action: string;
  /** RFC 3463: class.subject.detail, e.g. 5.1.1. */
  status: string;
  /** In the server's own words. */
  diagnostic: string | undefined;
}

/** A delivery status notification, RFC 3464. */
export interface BounceReport {
  /** Bare id. */
  deliveryId: string;
  recipients: RecipientStatus[];
}

const ID = /dlv_[0-7][0-9a-hjkmnp-tv-z]{25}/;
/** Recipients of one message that are read; a message has 101 at most. */
const MOST = 200;

/**
 * Reads a mail as a delivery status notification about a message that this service sent. Returns undefined for any other mail:
 * an answer, a holiday note, spam, or a report that names no delivery.
 */
export async function readReport(raw: Buffer): Promise<BounceReport | undefined> {
  const email = await PostalMime.parse(raw, {
    attachmentEncoding: "utf8",
    maxNestingDepth: 20,
    forceRfc822Attachments: true,
  });
  const status = partOf(email, /^message\/(global-)?delivery-status$/);
  if (status === undefined) return undefined;
  const [message = "", ...blocks] = unfolded(status).split(/\n[ \t]*\n+/);
  const returned = partOf(email, /^(message\/(rfc822|global)|text\/rfc822-headers|message\/global-headers)$/) ?? "";
  const found =
    ID.exec(headersOf(email, ["delivered-to", "x-original-to", "to"])) ??
    ID.exec(fieldsOf(message).get("original-envelope-id") ?? "") ??
    ID.exec(/^message-id:.*$/im.exec(unfolded(returned))?.[0] ?? "");
  const deliveryId = found && decodeId("dlv", found[0]);
  if (!deliveryId) return undefined;
  return { deliveryId, recipients: blocks.slice(0, MOST).flatMap(read) };
}

function partOf(email: Email, type: RegExp): string | undefined {
  const content = email.attachments.find(({ mimeType }) => type.test(mimeType))?.content;
  return typeof content === "string" ? content : content && Buffer.from(content as ArrayBuffer).toString("utf8");
}

const headersOf = (email: Email, names: string[]): string =>
  email.headers
    .filter(({ key }: Header) => names.includes(key))
    .map(({ value }) => value)
    .join(" ");

/** Returns the text with LF as line ends, and with continued lines joined. */
const unfolded = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replaceAll(/\n[ \t]+(?=\S)/g, " ")
    .trim();

function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return fields;
}

function read(block: string): RecipientStatus[] {
  const fields = fieldsOf(block);
  // The original recipient, where the server reports it: the final one may be what an alias led to.
  const recipient = addressIn(fields.get("original-recipient")) ?? addressIn(fields.get("final-recipient"));
  const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(fields.get("status") ?? "")?.[0];
  if (recipient === undefined || status === undefined) return [];
  const action = (fields.get("action") ?? "").toLowerCase();
  const diagnostic = fields.get("diagnostic-code")?.replace(/^[^;]{1,30};\s*/, "");
  return [{ recipient, action, status, diagnostic: diagnostic || undefined }];
}

/** Reads the address of a field such as `rfc822; ada@example.test`. */
function addressIn(field: string | undefined): string | undefined {
  const text = field
    ?.slice(field.indexOf(";") + 1)
    .trim()
    .replace(/^<(.*)>$/, "$1");
  return text || undefined;
}
