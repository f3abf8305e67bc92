import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { suppress, takeChoice, unsuppress } from "../../subscriptions/index.ts";
import type { ProviderRow } from "../connection/provider-store.ts";
import { feedback } from "../feedback/feedback.ts";
import type { CallbackContents } from "./callback.ts";
import { firstSeen } from "./callback-store.ts";

/** A word that bears no time does nothing when it is sent again within 400 days. They are few: one a STOP. */
const REMEMBERED_MS = 400 * 24 * 3_600_000;

/** Writes what a provider told, all of it or nothing: each event once, and what it means for the person who said so. */
export async function receive(tx: Tx, ground: Ground, provider: ProviderRow, told: CallbackContents): Promise<void> {
  const { workspace_id: workspaceId, kind: source } = provider;
  const now = ground.clock.now();
  const words = told.words ?? [];
  if (words.length > 0 && told.signature !== undefined) {
    const until = new Date(now.getTime() + REMEMBERED_MS);
    if (!(await firstSeen(tx, provider.id, told.signature, until))) return;
  }
  const heard = await feedback(
    tx,
    ground,
    told.items.map((item) => ({ ...item, workspaceId, source })),
  );
  for (const [i, one] of heard.entries()) {
    // A copy's reader who unsubscribes is not the person whose message it was.
    if (!one?.fresh || one.copy || told.items[i]?.kind !== "unsubscribed") continue;
    const { person_key: personKey, channel } = one.delivery;
    await takeChoice(tx, { workspaceId, personKey }, { choice: { preferences: { [channel]: false } }, source, now });
  }
  for (const { number, stop, at } of words) {
    const target = { workspaceId, channel: "sms" as const, address: number };
    const saidAt = at && at < now ? at : now;
    if (stop) await suppress(tx, [{ ...target, reason: "stop", source, saidAt }], now);
    else await unsuppress(tx, [target], now, { reason: "stop", saidBefore: saidAt });
  }
}
