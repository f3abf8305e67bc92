import { DeliveryList } from "@tidings/contract/facts/activity";
import { MOST_COUNTED } from "@tidings/contract/lists";
import type { Queries } from "../../platform/db/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { countsOf } from "../../platform/resources/counts.ts";
import { personKey } from "../../workspaces/index.ts";
import { sourceIdOf } from "./delivery-view.ts";
import { countDeliveries, type DeliveryFilter, keysOfAddress, type Search } from "./list-store.ts";

/**
 * Returns what somebody searches for: the whole id of a delivery or of a source, or else people by their whole person_id, email or phone number.
 * An index finds the deliveries of each; there is none on the recipients' addresses, because each delivery would pay for it.
 */
export async function searchOf(
  q: Queries,
  workspaceId: string,
  typed: string | undefined,
): Promise<Search | undefined> {
  if (typed === undefined) return undefined;
  const id = decodeId("dlv", typed.toLowerCase());
  if (id) return { id };
  const sourceId = sourceIdOf(typed.toLowerCase());
  if (sourceId) return { sourceId };
  return { personKeys: [personKey(workspaceId, typed), ...(await keysOfAddress(q, workspaceId, typed))] };
}

/** Returns the counts of a list of deliveries: among the newest MOST_COUNTED, and exact if they are all. */
export async function statusCounts(q: Queries, workspaceId: string, filter: DeliveryFilter): Promise<object> {
  const { groups, examined } = await countDeliveries(q, workspaceId, { filter, most: MOST_COUNTED });
  return {
    exact: examined < MOST_COUNTED,
    ...countsOf(groups, DeliveryList, { status: filter.status, channel: filter.channel }),
  };
}
