// FACTS: the append-only log of what happened to deliveries and people, and message activity.
export { endOfFeed, type FeedEvent, fromNow, OLDEST, type Position, positionAt, readFeed } from "./feed-store.ts";
export { sourceOf, sourceText } from "./delivery-view.ts";
export { jobs } from "./jobs.ts";
export { logged } from "./logged-store.ts";
export { countRows, countRowsByVariant, type Which } from "./metrics-store.ts";
export { product } from "./product.ts";
export { type Entry, type Happening, RECORDED, record, recordedOf } from "./store.ts";
