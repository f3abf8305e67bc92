/** Returns a delivery status notification as Postfix writes it (RFC 3464). */
export interface Notice {
  /** TypeID of the delivery. */
  id: string;
  recipient: string;
  status: string;
  action?: string;
  /** The part of the notification that has the id. */
  by?: "message-id" | "envid" | "address";
}

export function dsn({ id, recipient, status, action = "failed", by = "message-id" }: Notice): string {
  const returned = by === "message-id" ? `<${id}@acme.test>` : "<other@acme.test>";
  return `Return-Path: <>
Delivered-To: bounces${by === "address" ? `+${id}` : ""}@acme.test
Date: Fri,  1 May 2026 12:00:00 +0000 (UTC)
From: MAILER-DAEMON@mx.acme.test (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: bounces@acme.test
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="8D2A5C0123.1714564800/mx.acme.test"
Message-Id: <20260501120000.9E8F7@mx.acme.test>

This is a MIME-encapsulated message.

--8D2A5C0123.1714564800/mx.acme.test
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--8D2A5C0123.1714564800/mx.acme.test
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.acme.test
${by === "envid" ? `Original-Envelope-Id: ${id}\n` : ""}X-Postfix-Sender: rfc822; bounces@acme.test
Arrival-Date: Fri,  1 May 2026 11:59:00 +0000 (UTC)

Final-Recipient: rfc822; alias-of-${recipient}
Original-Recipient: rfc822;${recipient}
Action: ${action}
Status: ${status}
Remote-MTA: dns; mail.example.test
Diagnostic-Code: smtp; 550 ${status}
    no such user

--8D2A5C0123.1714564800/mx.acme.test
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

Return-Path: <bounces@acme.test>
From: Acme <hello@acme.test>
To: ${recipient}
Message-ID:
 ${returned}
Subject: Hi

--8D2A5C0123.1714564800/mx.acme.test--
`;
}
