import { type Lookup, normalEmail, normalPhone } from "../../people/index.ts";
import { badField, pointerPart, Problem } from "../../platform/http/index.ts";
import { type Mailbox, mailbox } from "../../platform/mailbox.ts";
import { parseInstant } from "../../platform/time/clock.ts";
import { nextTurn, turnIsOver } from "../../platform/turns.ts";
import type { Workspace } from "../../workspaces/index.ts";
import type { Input } from "./channel.ts";

// Parses the fields of a trigger call by rules that need no database.

const DAY = 86_400_000;
const MOST_AHEAD_DAYS = 30;
const WRITTEN_HEADERS =
  /^(?:from|to|cc|bcc|subject|sender|reply-to|date|message-id|mime-version|return-path|received|dkim-signature|content-.*|resent-.*)$/i;

/** The person whom a call names. A new person gets the lower-cased email, or the E.164 number, as person_id. */
export interface NamedPerson {
  lookup: Lookup;
  newPerson: { workspaceId: string; personId: string; email?: string; phone?: string };
}

/** @throws Problem recipient_invalid */
export function namedPerson(workspace: Workspace, identifiers: Input["identifiers"]): NamedPerson {
  const workspaceId = workspace.id;
  const { id, email, phone } = identifiers;
  if (id !== undefined) return { lookup: { workspaceId, id }, newPerson: { workspaceId, personId: id } };
  if (email !== undefined) {
    const normal = normalEmail(email);
    if (!normal) throw invalidRecipient("/identifiers/email", "is not an email address");
    return { lookup: { workspaceId, email: normal }, newPerson: { workspaceId, personId: normal, email: normal } };
  }
  const normal = normalPhone(phone ?? "", workspace.sender_defaults.country);
  if (!normal) throw invalidRecipient("/identifiers/phone", "is not a phone number with its country code");
  return { lookup: { workspaceId, phone: normal }, newPerson: { workspaceId, personId: normal, phone: normal } };
}

/** Returns when to send; undefined for now, and for a time that has passed. @throws Problem invalid_request beyond 30 days */
export function dueAt(sendAt: string | undefined, now: Date): Date | undefined {
  const at = sendAt === undefined ? undefined : parseInstant(sendAt);
  if (at === undefined || at <= now) return undefined;
  if (at.getTime() > now.getTime() + MOST_AHEAD_DAYS * DAY) {
    throw badField("/send_at", `must be at most ${MOST_AHEAD_DAYS} days ahead`);
  }
  return at;
}

/** Parses one email address. @throws Problem recipient_invalid */
export function recipientOf(text: string, pointer: string): Mailbox {
  const found = mailbox(text);
  if (!found) throw invalidRecipient(pointer, "is not one email address");
  return found;
}

export function invalidRecipient(pointer: string, message: string): Problem {
  return new Problem("recipient_invalid", `${pointer} ${message}.`, { errors: [{ pointer, message }] });
}

/** Checks extra headers. Headers that the message writes itself are refused: a second From or To is used to forge mail. */
export function headersOf(headers: Record<string, string> | undefined): Record<string, string> | undefined {
  for (const name of Object.keys(headers ?? {})) {
    if (WRITTEN_HEADERS.test(name)) throw badField(`/headers/${name}`, "is a header that the message writes itself");
  }
  return headers;
}

/** Checks attachments. Text that does not decode to its full length would arrive broken. @throws Problem invalid_request */
export async function attachmentsOf(attachments: Record<string, string>): Promise<{ name: string; base64: string }[]> {
  const files: { name: string; base64: string }[] = [];
  for (const [name, text] of Object.entries(attachments)) {
    const pointer = `/attachments/${pointerPart(name)}`;
    if (name.length < 1 || name.length > 255 || /[\p{Cc}/\\]/u.test(name)) {
      throw badField(pointer, "must be a file name of 1 to 255 characters without slashes");
    }
    if (!/\S/.test(text)) throw badField(pointer, "is empty: leave the file out, or give it at least one byte");
    const base64 = await base64In(text);
    if (base64 === undefined) throw badField(pointer, "must be base64");
    files.push({ name, base64 });
  }
  return files;
}

/** Characters that are checked before other requests get their turn: 20 MiB with line breaks take 150 ms. */
const PIECE = 1024 * 1024;

/** Returns the text without white space, or undefined if it is not base64. */
async function base64In(text: string): Promise<string | undefined> {
  let clean = "";
  let pending = "";
  for (let from = 0; from < text.length; from += PIECE) {
    while (turnIsOver()) await nextTurn();
    const piece = text.slice(from, from + PIECE);
    pending += /\s/.test(piece) ? piece.replace(/\s+/g, "") : piece;
    // All but the last four characters: only these may be padding.
    const end = Math.max(0, pending.length - 1 - ((pending.length - 1) % 4));
    const full = pending.slice(0, end);
    if (!isBase64(full, 0)) return undefined;
    clean += full;
    pending = pending.slice(end);
  }
  const padding = pending.endsWith("==") ? 2 : pending.endsWith("=") ? 1 : 0;
  if (pending.length !== 4 || !isBase64(pending, padding)) return undefined;
  clean += pending;
  return clean.length === text.length ? text : clean;
}

/** Buffer skips other characters, so a text with any of them decodes to fewer bytes. A regular expression would be slower. */
const isBase64 = (text: string, padding: number): boolean =>
  !/[-_]/.test(text) && Buffer.from(text, "base64").length === (text.length / 4) * 3 - padding;
