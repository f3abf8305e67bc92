import type { CredentialsOf, SettingsOf } from "@tidings/contract/messages/providers";
import type { ImapFlow } from "imapflow";
import type { WayOut } from "../../platform/outbound-http/index.ts";
import { mailboxAt } from "../providers/email/return-path.ts";

/**
 * How much is read of one mail. A report is about 5 KB, and its status comes before the message that it returns. The parser reads
 * line by line: 350 KB of short lines, which anybody can send, blocked the event loop for 0.4 to 1.5 s.
 */
const MOST_BYTES = 64 * 1024;
/** Mails of one mailbox in one run, so that a flood of mails does not keep the others from being read. */
const MOST_MAILS = 500;
/** The longest run over one mailbox; the remaining mails wait for the next run. */
const RUN_MS = 60_000;

/** What to do with a mail that was read: a report that was recorded is deleted, any other mail is marked as seen and stays. */
export type AfterReading = "delete" | "keep";

/**
 * Calls `read` with each new mail of a bounce mailbox, oldest first. A mail is marked only after `read` has finished, so a mail
 * whose reading failed is read again. Returns how many there were. @throws Error where the mailbox can't be reached, logged in to or read
 */
export async function eachMail(
  out: WayOut,
  settings: SettingsOf<"smtp">,
  credentials: CredentialsOf<"smtp">,
  read: (raw: Buffer) => Promise<AfterReading>,
): Promise<number> {
  const { bounce_mailbox: mailbox } = settings;
  if (!mailbox) return 0;
  const place = mailboxAt(mailbox);
  out.admit(place.host);
  // Loaded for the first mailbox: most services have none, and its 180 modules took 0.1 s of CPU of each start.
  const { ImapFlow } = await import("imapflow");
  const client = new ImapFlow({
    ...place,
    auth: { user: mailbox.user, pass: credentials.bounce_password ?? "" },
    // The connection gets these options as well, with TLS and without.
    tls: { rejectUnauthorized: settings.verify_certificate ?? true, lookup: out.lookup },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 30_000,
    // The fetch cuts a mail at MOST_BYTES. The connection to a server that sends more than that ends.
    maxLiteralSize: 2 * MOST_BYTES,
    maxResponseSize: 16 * MOST_BYTES,
    maxLineLength: 16 * MOST_BYTES,
  });
  // The call that waits for an answer gets the error, too; without a listener the error would end the process.
  client.on("error", () => {});
  const late = setTimeout(() => client.close(), RUN_MS);
  try {
    await client.connect();
    return await readAll(client, read);
  } finally {
    clearTimeout(late);
    client.close();
  }
}

async function readAll(client: ImapFlow, read: (raw: Buffer) => Promise<AfterReading>): Promise<number> {
  await client.mailboxOpen("INBOX");
  const unseen = (await client.search({ seen: false }, { uid: true })) || [];
  const uids = unseen.toSorted((a, b) => a - b).slice(0, MOST_MAILS);
  for (const uid of uids) {
    const mail = await client.fetchOne(String(uid), { source: { maxLength: MOST_BYTES } }, { uid: true });
    const after = mail ? await read(mail.source ?? Buffer.alloc(0)) : "keep";
    await client.messageFlagsAdd(String(uid), ["\\Seen"], { uid: true });
    if (after === "delete") await client.messageDelete(String(uid), { uid: true });
  }
  return uids.length;
}
