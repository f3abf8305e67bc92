// WHY: one message to many people, because an author decided so.
import type { OutboundGround } from "../outbound/index.ts";
import { namesBy, type Slice } from "../workspaces/index.ts";
import { audienceUsers, imageUsers, messageUsers, templateUsers, topicUsers } from "./definition/audience.ts";
import { namesById } from "./definition/store.ts";
import { hearsLimits, startBroadcasts } from "./fanout/work.ts";
import { product, progressOf, tasksOf } from "./product.ts";

/** What the roof connects. */
export const slice: Slice<OutboundGround> = {
  name: "broadcasts",
  product,
  start: startBroadcasts,
  hears: (ground) => [hearsLimits(ground)],
  users: {
    topic: topicUsers,
    template: templateUsers,
    message: messageUsers,
    audience: audienceUsers,
    image: imageUsers,
  },
  namesOf: namesBy("bc", namesById),
  progressOf,
  tasksOf,
};
