import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { suppress, takeChoice, unsuppress } from "../../subscriptions/index.ts";
import type { ProviderRow } from "../connection/provider-store.ts";
import { feedback } from "../feedback/feedback.ts";
import type { CallbackContents } from "./callback.ts";
import { firstSeen } from "./callback-store.ts";

/** How long the signatures of keywords are kept: a copy of a STOP without a time must do nothing. They are few, one for each STOP. */
const REMEMBERED_MS = 400 * 24 * 3_600_000;

/** Writes the contents of a call in the caller's transaction: each event once, and the choices of the people who unsubscribed. */
export async function receive(
  tx: Tx,
  ground: Ground,
  provider: ProviderRow,
  contents: CallbackContents,
): Promise<void> {
  const { workspace_id: workspaceId, kind: source } = provider;
  const now = ground.clock.now();
  const keywords = contents.keywords ?? [];
  if (keywords.length > 0 && contents.signature !== undefined) {
    const until = new Date(now.getTime() + REMEMBERED_MS);
    if (!(await firstSeen(tx, provider.id, contents.signature, until))) return;
  }
  const results = await feedback(
    tx,
    ground,
    contents.items.map((item) => ({ ...item, workspaceId, source })),
  );
  for (const [i, one] of results.entries()) {
    // The reader of a copy who unsubscribes is not the person whom the message was for.
    if (!one?.fresh || one.copy || contents.items[i]?.kind !== "unsubscribed") continue;
    const { person_key: personKey, channel } = one.delivery;
    await takeChoice(tx, { workspaceId, personKey }, { choice: { preferences: { [channel]: false } }, source, now });
  }
  for (const { number, stop, at } of keywords) {
    const target = { workspaceId, channel: "sms" as const, address: number };
    const saidAt = at && at < now ? at : now;
    if (stop) await suppress(tx, [{ ...target, reason: "stop", source, saidAt }], now);
    else await unsuppress(tx, [target], now, { reason: "stop", saidBefore: saidAt });
  }
}
