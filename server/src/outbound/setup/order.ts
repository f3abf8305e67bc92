import type { ProviderOrder } from "@tidings/contract/messages/outbound";
import type { Tx } from "../../platform/db/index.ts";
import { badField } from "../../platform/http/index.ts";
import { decodeId, encodeId } from "../../platform/ids.ts";
import type { Authored } from "../../platform/resources/authored.ts";
import { changing, type Origin } from "../../platform/resources/changes.ts";
import { lockProvidersFor, type ProviderRow, updateProvider } from "../connection/provider-store.ts";
import { PROVIDERS_CHANGED } from "../connection/registry.ts";

/**
 * Gives the providers of a channel the priorities 0, 1, 2, ... in this order, all or none. Each that gets another one has an entry in the
 * log of changes. Returns them in the new order. @throws Problem invalid_request where one is missing, unknown or named twice
 */
export async function orderProviders(
  tx: Tx,
  kind: Authored<ProviderRow>,
  { origin, now }: { origin: Origin; now: Date },
  { channel, providers }: ProviderOrder,
): Promise<ProviderRow[]> {
  const workspaceId = origin.scope;
  const rows = new Map((await lockProvidersFor(tx, { workspaceId, channel })).map((row) => [row.id, row]));
  const order = providers.map((text) => decodeId("prv", text) ?? "");
  const unknown = order.findIndex((id, i) => !rows.has(id) || order.indexOf(id) < i);
  if (unknown >= 0)
    throw badField(`/providers/${unknown}`, `must be a provider of the channel ${channel}, each named once`);
  const missing = [...rows.keys()].filter((id) => !order.includes(id));
  if (missing.length > 0)
    throw badField(
      "/providers",
      `must name every provider of the channel; missing: ${missing.map((id) => encodeId("prv", id)).join(", ")}`,
    );
  const ordered: ProviderRow[] = [];
  for (const [priority, id] of order.entries()) {
    const row = rows.get(id) as ProviderRow;
    const change = { origin, done: "changed", id, now };
    const move = async () => (await updateProvider(tx, { workspaceId, id }, { priority }, now)) as ProviderRow;
    ordered.push(row.priority === priority ? row : await changing(tx, kind, change, move));
  }
  tx.signal(PROVIDERS_CHANGED, [workspaceId]);
  return ordered;
}
