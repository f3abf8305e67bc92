import type { Source } from "@tidings/contract/facts/activity";
import type { Event } from "@tidings/contract/webhooks";
import type { FeedEvent } from "../activity/index.ts";
import { encodeId, type Prefix } from "../platform/ids.ts";

const SOURCE_PREFIX: Record<Source, Prefix> = { transactional: "tx", broadcast: "bc", campaign: "cmp", test: "msg" };

/** Returns an event in the shape that endpoints and the feed have. */
export const eventOf = (row: FeedEvent): Event => ({
  id: encodeId("act", row.id),
  type: row.type,
  timestamp: row.at.toISOString(),
  data: {
    person_id: row.person_id,
    delivery_id: row.delivery_id && encodeId("dlv", row.delivery_id),
    channel: row.channel,
    source: row.source,
    source_id: row.source && row.source_id && encodeId(SOURCE_PREFIX[row.source], row.source_id),
    step_id: row.step_id,
    variant: row.variant,
    message_id: row.message_id && encodeId("msg", row.message_id),
    recipient: row.recipient,
    details: row.data,
  },
});
