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

/** Mails letters through the email providers of a workspace. */
interface Letters {
  /** Whether the workspace has a provider that leaves this machine, and a sender for it. */
  can(workspaceId: string): Promise<boolean>;
  /**
   * Hands a letter to the providers, in their order. A letter is no delivery: no row and no log keeps its text, which may contain a one-time
   * link. Returns false where no provider took it.
   */
  send(workspaceId: string, letter: Letter): Promise<boolean>;
}

export function lettersBy(ground: Ground): Letters {
  async function means(workspaceId: string) {
    const workspace = await workspaceById(ground.db, workspaceId);
    const rows = await providersFor(ground.db, { workspaceId, channel: "email" });
    const real = rows.filter(({ kind }) => kind !== "local");
    const from = workspace?.sender_defaults.email_from;
    return real.length === 0 || from === undefined ? undefined : { from, real };
  }

  return {
    can: async (workspaceId) => (await means(workspaceId)) !== undefined,
    async send(workspaceId, { to, subject, text }) {
      const found = await means(workspaceId);
      if (!found || !mailbox(to)) return false;
      const job = emailJob(workspaceId, to, { from: found.from, subject, body: html(text), plaintext_body: text });
      const opened = found.real.map((row) => ({ row, provider: openProvider(ground, row) }));
      try {
        const providers = opened.map(({ row, provider }) => createConnection(row.id, row.name, provider));
        const held = new Held({ item: job, until: Number.POSITIVE_INFINITY, begun: false, gone: false });
        const result = await handOver({ ground, providers, begin: async () => true }, held, job.content);
        return (result as AttemptResult | undefined)?.outcome?.kind === "sent";
      } finally {
        for (const { provider } of opened) provider.close();
      }
    },
  };
}

const html = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .split("\n\n")
    .map((part) => `<p>${part.replaceAll(/https?:\/\/\S+/g, '<a href="$&">$&</a>').replaceAll("\n", "<br>")}</p>`)
    .join("\n");
