// HOW: in-app messages. The service queues and the application pulls: sync decides what a person may see, streams tell it when
// to sync again.
import { type ConnectedGround, namesBy, type Slice } from "../workspaces/index.ts";
import { namesById } from "./definition/definition-store.ts";
import { imageUsers } from "./definition/image-users.ts";
import { holds } from "./delivery/holds.ts";
import { screenUsers } from "./definition/screen-users.ts";
import { gateway } from "./gateway.ts";
import { jobs } from "./jobs.ts";
import { product } from "./product.ts";
import type { InAppGround } from "./sync/near-misses.ts";

export { isLive, type MessageRow, messageById } from "./definition/definition-store.ts";
export { assertAllowed, isPersonal, queue } from "./queue/queue.ts";
export { recallAll, recallUnseen } from "./queue/recall.ts";
export { preview, testSend } from "./queue/try-out.ts";
export { streamMetrics } from "./stream/monitoring.ts";
export { type InAppGround, NearMisses } from "./sync/near-misses.ts";

/** What the roof connects. */
export const slice: Slice<InAppGround & ConnectedGround> = {
  name: "inapp",
  gateway,
  product,
  jobs,
  users: { image: imageUsers },
  namesOf: namesBy("msg", namesById),
  holds,
  screenUsers,
};
