import type { SettingsOf } from "@tidings/contract/messages/providers";
import { badField } from "../../../platform/http/index.ts";
import { address } from "../../../platform/mailbox.ts";
import type { Outgoing } from "../../message/email.ts";
import { recipientsOf } from "./mime.ts";

type BounceMailbox = SettingsOf<"smtp">["bounce_mailbox"];

/** Returns the server of a mailbox, with defaults. */
export const mailboxAt = ({ host, port = 993, secure = true }: NonNullable<BounceMailbox>) => ({
  host: host.toLowerCase(),
  port,
  secure,
});

/** Length of `+` and a delivery's TypeID. */
const DETAIL = 31;
const MOST_LOCAL = 64;

/** Checks the settings of a bounce mailbox. @throws Problem invalid_request where bounces could not arrive in it */
export function checkBounceMailbox(mailbox: BounceMailbox): void {
  if (!mailbox) return;
  const bare = address(mailbox.address);
  if (!bare) throw badField("/settings/bounce_mailbox/address", "must be one address, local@domain");
  if (mailbox.verp && bare.lastIndexOf("@") + DETAIL > MOST_LOCAL)
    throw badField("/settings/bounce_mailbox/address", "is too long before its @ to contain a delivery's id (verp)");
}

/** Returns the envelope's sender where bounces have a mailbox of their own; with `verp` it contains the delivery's id. */
export function bounceAddress(deliveryId: string, mailbox: BounceMailbox): string | undefined {
  const bare = mailbox && address(mailbox.address);
  return bare && mailbox.verp ? bare.replace(/@(?=[^@]*$)/, `+${deliveryId}@`) : bare;
}

/**
 * Returns the envelope and DSN options by which bounces come back to the mailbox. A bounce is recognized by the envelope's id
 * (RFC 3461, where the server supports it), by the Message-ID in the returned headers, and with `verp` by the address itself.
 */
export function returnPath(email: Outgoing, deliveryId: string, mailbox: BounceMailbox) {
  const from = bounceAddress(deliveryId, mailbox);
  if (!from) return {};
  const to = recipientsOf(email);
  // Nodemailer sends one ORCPT for all recipients of the envelope, so it is set only where there is one.
  const orcpt = to.length === 1 && { orcpt: `rfc822;${email.to.address}` };
  return {
    envelope: { from, to },
    dsn: { ret: "HDRS", envid: deliveryId, notify: ["FAILURE", "DELAY"], ...orcpt },
  };
}
