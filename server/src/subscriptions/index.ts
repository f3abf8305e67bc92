// Storey 2, TO WHOM: what people want to receive (states, topics), addresses that get nothing, and the public pages for both.
export { messageLinks, NO_LINKS } from "./links.ts";
export { pages } from "./pages.ts";
export { product } from "./product.ts";
export { mayReceive } from "./receive.ts";
export { unsubscribedSince } from "./recheck.ts";
export { takeChoice } from "./states.ts";
export { topicsBy, type TopicRow as Topic } from "./store.ts";
export { type NewSuppression, suppress, suppressed, type Target, unsuppress } from "./suppression.ts";
export type { TopicUsedBy } from "./topic.ts";
