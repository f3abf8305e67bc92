import type { Ground } from "../../platform/ground.ts";
import { mailbox } from "../../platform/mailbox.ts";
import { workspaceById } from "../../workspaces/index.ts";
import { createConnection } from "../connection/connection.ts";
import { providersFor } from "../connection/provider-store.ts";
import { openProvider } from "../connection/registry.ts";
import { type AttemptResult, handOver } from "../sending/handover.ts";
import { Held } from "../sending/held.ts";
import { emailJob } from "./try-out.ts";

/** An email of a few lines to somebody who works with the workspace, such as a link that sets a new password. */
interface Letter {
  to: string;
  subject: string;
  text: string;
}

/**
 * Returns the function that mails a letter through the email providers of a workspace, in their order. A letter is no delivery: no row and
 * no log keeps its text, which may contain a one-time link. It returns false where no provider took it: the workspace has none that
 * leaves this machine, or no sender, or all refused.
 */
export const letters =
  (ground: Ground) =>
  async (workspaceId: string, { to, subject, text }: Letter): Promise<boolean> => {
    const workspace = await workspaceById(ground.db, workspaceId);
    const rows = await providersFor(ground.db, { workspaceId, channel: "email" });
    const real = rows.filter(({ kind }) => kind !== "local");
    const from = workspace?.sender_defaults.email_from;
    if (real.length === 0 || from === undefined || !mailbox(to)) return false;
    const job = emailJob(workspaceId, to, { from, subject, body: html(text), plaintext_body: text });
    const opened = real.map((row) => ({ row, provider: openProvider(ground, row) }));
    try {
      const providers = opened.map(({ row, provider }) => createConnection(row.id, row.name, provider));
      const held = new Held({ item: job, until: Number.POSITIVE_INFINITY, begun: false, gone: false });
      const result = await handOver({ ground, providers, begin: async () => true }, held, job.content);
      return (result as AttemptResult | undefined)?.outcome?.kind === "sent";
    } finally {
      for (const { provider } of opened) provider.close();
    }
  };

const html = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .split("\n\n")
    .map((part) => `<p>${part.replaceAll(/https?:\/\/\S+/g, '<a href="$&">$&</a>').replaceAll("\n", "<br>")}</p>`)
    .join("\n");
