// HOW: the channels that we push (email, push, SMS). A delivery's row is its job: the caller's transaction queues it, a process
// leases it and sends it.
import { listen, type Tx } from "../platform/db/index.ts";
import { UNSUBSCRIBED, type Unsubscribed } from "../subscriptions/index.ts";
import { held, type Slice } from "../workspaces/index.ts";
import { callbacks } from "./callbacks/routes.ts";
import { feedback } from "./feedback/feedback.ts";
import { jobs } from "./jobs.ts";
import { product } from "./product.ts";
import { capturesOf, forgetCaptures } from "./providers/outbox-store.ts";
import type { QueueGround } from "./queue/dispatcher.ts";
import { startDispatcher } from "./sending/dispatch.ts";
import { startHandOver } from "./sending/handed-over.ts";
import { tracking } from "./tracking/pages.ts";

export { sendingMetrics } from "./connection/monitoring.ts";
export { listProviders } from "./connection/provider-store.ts";
export { type OutboundGround, type Senders, sendersOf } from "./connection/sender.ts";
export { feedback } from "./feedback/feedback.ts";
export { lockPushed } from "./feedback/feedback-store.ts";
export {
  type CallOptions,
  type Composed,
  type ComposeInput,
  compose,
  type Source,
  sourceOf,
} from "./message/compose.ts";
export type { Content, Message } from "./message/message.ts";
export { checkContent, checkPushAddresses, partsOf } from "./message/parts.ts";
export { missingPart, usableSender } from "./message/written.ts";
export { cancelUnsent } from "./queue/delivery-actions.ts";
export type { QueueGround } from "./queue/dispatcher.ts";
export { queue } from "./queue/queue.ts";
export { applyKnownSuppressions, applySuppressions } from "./queue/suppression-check.ts";
export { NO_REACH } from "./sending/handover.ts";
export { lettersBy } from "./setup/letter.ts";
export { testProvider } from "./setup/setup.ts";

/** Writes an unsubscribe into the delivery whose link led to it. */
const unsubscribed = (ground: QueueGround) => async (tx: Tx, batch: Unsubscribed[]) => {
  const items = batch.map((one) => ({ ...one, kind: "unsubscribed" as const }));
  await feedback(tx, ground, items);
};

/** What the roof connects. */
export const slice: Slice<QueueGround> = {
  name: "outbound",
  product,
  pages(app, ground) {
    tracking(app, ground);
    callbacks(app, ground);
  },
  jobs,
  start: startDispatcher,
  startBeside: startHandOver,
  hears: (ground) => [
    listen(UNSUBSCRIBED, { hears: "in the transaction", cares: () => true, take: unsubscribed(ground) }),
  ],
  holds: [held("outbox", { ids: { id: "out", delivery_id: "dlv" }, page: capturesOf, erase: forgetCaptures })],
};

declare module "../platform/ids.ts" {
  interface Prefixes {
    prv: true;
    out: true;
  }
}
