import type { SettingsOf } from "@tidings/contract/messages/providers";
import { badField } from "../../../platform/http/index.ts";
import { address } from "../../../platform/mailbox.ts";
import type { Outgoing } from "../../message/email.ts";
import { recipientsOf } from "./mime.ts";

type BounceMailbox = SettingsOf<"smtp">["bounce_mailbox"];

/** Where a mailbox is read. */
export const mailboxAt = ({ host, port = 993, secure = true }: NonNullable<BounceMailbox>) => ({
  host: host.toLowerCase(),
  port,
  secure,
});

/** `+` and a delivery's TypeID. */
const DETAIL = 31;
const MOST_LOCAL = 64;

/** @throws Problem invalid_request where bounces could not come back */
export function checkBounceMailbox(mailbox: BounceMailbox): void {
  if (!mailbox) return;
  const bare = address(mailbox.address);
  if (!bare) throw badField("/settings/bounce_mailbox/address", "must be one address, local@domain");
  if (mailbox.verp && bare.lastIndexOf("@") + DETAIL > MOST_LOCAL)
    throw badField("/settings/bounce_mailbox/address", "is too long before its @ to carry a delivery's id (verp)");
}

/** The envelope's sender where bounces go to a mailbox of their own; with `verp` it names the delivery. */
export function bounceAddress(deliveryId: string, mailbox: BounceMailbox): string | undefined {
  const bare = mailbox && address(mailbox.address);
  return bare && mailbox.verp ? bare.replace(/@(?=[^@]*$)/, `+${deliveryId}@`) : bare;
}

/**
 * Where a server returns what it can't deliver, and by what we know it again: the envelope's id (RFC 3461, where the server
 * knows it), the Message-ID in what it returns, and with `verp` the address itself.
 */
export function returnPath(email: Outgoing, deliveryId: string, mailbox: BounceMailbox) {
  const from = bounceAddress(deliveryId, mailbox);
  if (!from) return {};
  const to = recipientsOf(email);
  // ORCPT stands for all recipients of the envelope, so it can be said of one only.
  const orcpt = to.length === 1 && { orcpt: `rfc822;${email.to.address}` };
  return {
    envelope: { from, to },
    dsn: { ret: "HDRS", envid: deliveryId, notify: ["FAILURE", "DELAY"], ...orcpt },
  };
}
