// WHY: one message to many people, because an author decided so.
import type { OutboundGround } from "../outbound/index.ts";
import type { Slice } from "../workspaces/index.ts";
import { audienceUsers, nameOf, topicUsers } from "./audience.ts";
import { templateUsers } from "./content.ts";
import { product } from "./product.ts";
import { startBroadcasts } from "./work.ts";

/** What the roof connects. */
export const slice: Slice<OutboundGround> = {
  name: "broadcasts",
  product,
  start: startBroadcasts,
  users: { topic: topicUsers, template: templateUsers, audience: audienceUsers },
  nameOf,
};
