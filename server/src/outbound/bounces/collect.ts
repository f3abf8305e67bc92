import type { CredentialsOf, SettingsOf } from "@tidings/contract/messages/providers";
import type { Ground } from "../../platform/ground.ts";
import { wayOut } from "../../platform/outbound-http/index.ts";
import type { Scrub } from "../../platform/scrub.ts";
import { type ProviderRow, providersWithMailbox } from "../connection/provider-store.ts";
import { credentialsOf, scrubberOf } from "../connection/registry.ts";
import { type Feedback, feedback } from "../feedback/feedback.ts";
import { type AfterReading, eachMail } from "./mailbox.ts";
import { type BounceReport, type RecipientStatus, readReport } from "./report.ts";

/** Mailboxes that are read at once. A stuck one takes one of these places for a minute. */
const AT_ONCE = 4;

/** Reads the bounce mailboxes of all workspaces. One that can't be read is logged and left for the next run. */
export async function collectBounces(ground: Ground): Promise<void> {
  const providers = await providersWithMailbox(ground.workDb);
  const next = async (): Promise<void> => {
    for (let row = providers.shift(); row; row = providers.shift()) await collect(ground, row);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function collect(ground: Ground, row: ProviderRow): Promise<void> {
  const scrub = scrubberOf(ground, row);
  try {
    const credentials = credentialsOf(ground, row) as CredentialsOf<"smtp">;
    const out = wayOut({ allowPrivate: ground.config.allowPrivateNetwork });
    await eachMail(out, row.settings as SettingsOf<"smtp">, credentials, (raw) => readMail(ground, row, scrub, raw));
  } catch (error) {
    ground.log.warn({ provider_id: row.id, err: scrub(String(error)) }, "a bounce mailbox could not be read");
  }
}

async function readMail(ground: Ground, row: ProviderRow, scrub: Scrub, raw: Buffer): Promise<AfterReading> {
  const report = await readReport(raw).catch((error: unknown) => {
    // Anybody can write any mail to the address. One that can't be parsed stays, and is not read again.
    ground.log.warn(
      { provider_id: row.id, err: scrub(String(error)) },
      "a mail in a bounce mailbox could not be parsed",
    );
    return undefined;
  });
  if (!report) return "keep";
  const items = itemsOf(report, row, ground.clock.now()).map((item) => ({ ...item, reason: scrub(item.reason ?? "") }));
  const results = await ground.workDb.transaction((tx) => feedback(tx, ground, items));
  return results.some((one) => one !== undefined) ? "delete" : "keep";
}

/** Nobody signs such a mail, so it is believed only of the delivery's own recipient, who alone can know its id. */
const itemsOf = (
  { deliveryId, recipients }: BounceReport,
  { workspace_id: workspaceId }: ProviderRow,
  at: Date,
): Feedback[] =>
  recipients.flatMap((one): Feedback[] => {
    const kind = kindOf(one);
    const { recipient, status, diagnostic } = one;
    const reason = [status, diagnostic].filter(Boolean).join(" ");
    return kind ? [{ workspaceId, deliveryId, ...kind, at, recipient, reason, source: "smtp", ownOnly: true }] : [];
  });

/** RFC 3463: a status of class 5 is permanent, one of class 4 may pass. */
function kindOf({ action, status }: RecipientStatus): Pick<Feedback, "kind" | "permanent"> | undefined {
  if (action === "delivered") return { kind: "delivered" };
  if (action === "delayed") return { kind: "bounced", permanent: false };
  return action === "failed" ? { kind: "bounced", permanent: status.startsWith("5") } : undefined;
}
