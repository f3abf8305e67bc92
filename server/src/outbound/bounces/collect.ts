import type { CredentialsOf, SettingsOf } from "@tidings/contract/messages/providers";
import type { Ground } from "../../platform/ground.ts";
import { wayOut } from "../../platform/outbound-http/index.ts";
import type { Scrub } from "../../platform/scrub.ts";
import { type ProviderRow, providersWithMailbox } from "../connection/provider-store.ts";
import { credentialsOf, scrubberOf } from "../connection/registry.ts";
import { type Feedback, feedback } from "../feedback/feedback.ts";
import { eachMail, type Taken } from "./mailbox.ts";
import { type Report, type Returned, readReport } from "./report.ts";

/** Mailboxes at once: a stuck one holds its own place for a minute and no other. */
const AT_ONCE = 4;

/** Reads the bounce mailboxes of all workspaces. One that can't be read is logged and left for the next run. */
export async function collectBounces(ground: Ground): Promise<void> {
  const waiting = await providersWithMailbox(ground.workDb);
  const next = async (): Promise<void> => {
    for (let row = waiting.shift(); row; row = waiting.shift()) await collect(ground, row);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function collect(ground: Ground, row: ProviderRow): Promise<void> {
  const scrub = scrubberOf(ground, row);
  try {
    const credentials = credentialsOf(ground, row) as CredentialsOf<"smtp">;
    const out = wayOut({ allowPrivate: ground.config.allowPrivateNetwork });
    await eachMail(out, row.settings as SettingsOf<"smtp">, credentials, (raw) => take(ground, row, scrub, raw));
  } catch (error) {
    ground.log.warn({ provider_id: row.id, err: scrub(String(error)) }, "a bounce mailbox could not be read");
  }
}

async function take(ground: Ground, row: ProviderRow, scrub: Scrub, raw: Buffer): Promise<Taken> {
  const report = await readReport(raw).catch((error: unknown) => {
    // Whoever can write to the address can write anything: such a mail stays, and is not read again.
    ground.log.warn(
      { provider_id: row.id, err: scrub(String(error)) },
      "a mail in a bounce mailbox could not be parsed",
    );
    return undefined;
  });
  if (!report) return "keep";
  const items = itemsOf(report, row, ground.clock.now()).map((item) => ({ ...item, reason: scrub(item.reason ?? "") }));
  const heard = await ground.workDb.transaction((tx) => feedback(tx, ground, items));
  return heard.some((one) => one !== undefined) ? "delete" : "keep";
}

/** Nobody signs such a mail: it is believed of the one whom the delivery was for, who alone can know its id. */
const itemsOf = ({ deliveryId, returned }: Report, { workspace_id: workspaceId }: ProviderRow, at: Date): Feedback[] =>
  returned.flatMap((one): Feedback[] => {
    const kind = kindOf(one);
    const { recipient, status, words } = one;
    const reason = [status, words].filter(Boolean).join(" ");
    return kind ? [{ workspaceId, deliveryId, ...kind, at, recipient, reason, source: "smtp", ownOnly: true }] : [];
  });

/** RFC 3463: 5 is permanent, 4 may pass. */
function kindOf({ action, status }: Returned): Pick<Feedback, "kind" | "permanent"> | undefined {
  if (action === "delivered") return { kind: "delivered" };
  if (action === "delayed") return { kind: "bounced", permanent: false };
  return action === "failed" ? { kind: "bounced", permanent: status.startsWith("5") } : undefined;
}
