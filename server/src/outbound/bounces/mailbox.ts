import type { CredentialsOf, SettingsOf } from "@tidings/contract/messages/providers";
import { ImapFlow } from "imapflow";
import type { WayOut } from "../../platform/outbound-http/index.ts";
import { mailboxAt } from "../providers/email/return-path.ts";

/**
 * Of one mail. A report is about 5 KB, and what it needs stands in front of what it returns. The parser takes lines one by
 * one: 350 KB of short ones, which anybody can send, held the event loop for 0.4 to 1.5 s.
 */
const MOST_BYTES = 64 * 1024;
/** Mails of one mailbox a run, so that a flood leaves the others their turn. */
const MOST_MAILS = 500;
/** Of one run over a mailbox; what is left waits for the next. */
const RUN_MS = 60_000;

/** What becomes of a mail: reports that were taken are deleted, all others are marked as seen and stay. */
export type Taken = "delete" | "keep";

/**
 * Shows each new mail of a bounce mailbox to `take`, oldest first. A mail is marked only after `take` is through, so a fault
 * repeats it. Gives how many there were. @throws Error where the mailbox can't be reached, logged in to or read
 */
export async function eachMail(
  out: WayOut,
  settings: SettingsOf<"smtp">,
  credentials: CredentialsOf<"smtp">,
  take: (raw: Buffer) => Promise<Taken>,
): Promise<number> {
  const { bounce_mailbox: mailbox } = settings;
  if (!mailbox) return 0;
  const place = mailboxAt(mailbox);
  out.admit(place.host);
  const client = new ImapFlow({
    ...place,
    auth: { user: mailbox.user, pass: credentials.bounce_password ?? "" },
    // What stands here goes to the connection as well, with TLS and without.
    tls: { rejectUnauthorized: settings.verify_certificate ?? true, lookup: out.lookup },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 30_000,
    // A mail is cut there by the fetch; a server that sends more than was asked for is cut off.
    maxLiteralSize: 2 * MOST_BYTES,
    maxResponseSize: 16 * MOST_BYTES,
    maxLineLength: 16 * MOST_BYTES,
  });
  // It is told to whoever waits for an answer, too; without a listener it would end the process.
  client.on("error", () => {});
  const late = setTimeout(() => client.close(), RUN_MS);
  try {
    await client.connect();
    return await readAll(client, take);
  } finally {
    clearTimeout(late);
    client.close();
  }
}

async function readAll(client: ImapFlow, take: (raw: Buffer) => Promise<Taken>): Promise<number> {
  await client.mailboxOpen("INBOX");
  const found = (await client.search({ seen: false }, { uid: true })) || [];
  const uids = found.toSorted((a, b) => a - b).slice(0, MOST_MAILS);
  for (const uid of uids) {
    const mail = await client.fetchOne(String(uid), { source: { maxLength: MOST_BYTES } }, { uid: true });
    const taken = mail ? await take(mail.source ?? Buffer.alloc(0)) : "keep";
    await client.messageFlagsAdd(String(uid), ["\\Seen"], { uid: true });
    if (taken === "delete") await client.messageDelete(String(uid), { uid: true });
  }
  return uids.length;
}
