// HOW: in-app messages. We queue and the application pulls: sync decides what a person may see, streams say when to sync again.
export { nameOf } from "./definition/define.ts";
export { type MessageRow, messageById } from "./definition/definition-store.ts";
export { gateway } from "./gateway.ts";
export { jobs } from "./jobs.ts";
export { product } from "./product.ts";
export { assertAllowed, isPersonal, queue } from "./queue/queue.ts";
export { recallAll } from "./queue/recall.ts";
export { type InAppGround, NearMisses } from "./sync/near-misses.ts";
export { preview, testSend } from "./queue/try-out.ts";
