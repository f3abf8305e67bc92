import type { Queries } from "../platform/db/index.ts";
import { encodeId } from "../platform/ids.ts";
import { topicsBy } from "../subscriptions/index.ts";
import type { BroadcastRow } from "./store.ts";

/** What a broadcast asks of people's states. */
export async function askOf(
  q: Queries,
  { workspace_id: workspaceId, topic_id: id, channel, subscription_preference: preference }: BroadcastRow,
) {
  const [topic] = id === null ? [] : await topicsBy(q, [{ workspaceId, id }]);
  return { channel, preference, topic: topic && { id: encodeId("top", topic.id), default: topic.default_state } };
}
