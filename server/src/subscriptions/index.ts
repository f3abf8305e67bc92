// WHAT: what people want to receive (states, topics), suppressed addresses, and the public pages for both.
import type { ConnectedGround, Slice } from "../workspaces/index.ts";
import { pages } from "./pages/pages.ts";
import { product } from "./product.ts";
import { holds } from "./suppression/holds.ts";

export { messageLinks, NO_LINKS } from "./pages/links.ts";
export { UNSUBSCRIBED, type Unsubscribed } from "./pages/pages.ts";
export { mayReceive } from "./preferences/receive.ts";
export { unsubscribedSince } from "./preferences/recheck.ts";
export { takeChoice } from "./preferences/states.ts";
export { exemptTopics, type TopicRow as Topic, topicsBy } from "./preferences/store.ts";
export { type NewSuppression, suppress, suppressed, type Target, unsuppress } from "./suppression/suppression.ts";

/** What the roof connects. */
export const slice: Slice<ConnectedGround> = { name: "subscriptions", product, pages, holds };

declare module "../platform/ids.ts" {
  interface Prefixes {
    top: true;
  }
}
