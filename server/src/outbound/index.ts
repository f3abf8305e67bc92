// Storey 3, HOW: the channels that we push. A delivery's row is its job: queued in the caller's transaction, leased, sent.
export { callbacks } from "./callbacks/routes.ts";
export { feedback } from "./feedback.ts";
export { subjectsOf } from "./feedback-store.ts";
export { startDispatcher } from "./dispatch.ts";
export { heldBack, heldBackBy } from "./hold-back.ts";
export { jobs } from "./jobs.ts";
export type { Content, EmailMessage, Message } from "./message.ts";
export { product } from "./product.ts";
export { queue } from "./queue.ts";
export { checkContent, checkPushAddresses, partsOf } from "./parts.ts";
export { tracking } from "./tracking/pages.ts";
export { type Senders, sendersOf } from "./sender.ts";
export { NO_REACH } from "./handover.ts";
export { testProvider } from "./setup.ts";
export { listProviders } from "./provider-store.ts";
export { restingProviders } from "./registry.ts";
export {
  emailOf,
  fitsPhone,
  madeOf,
  MOST_PUSH_BYTES,
  oneClick,
  pushOf,
  smsOf,
  type Texts,
  usableSender,
} from "./written.ts";
