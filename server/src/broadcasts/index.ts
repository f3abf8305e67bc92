// WHY: one message to many people, because an author decided so.
export { audienceUsers, nameOf, topicUsers } from "./audience.ts";
export { templateUsers } from "./content.ts";
export { product } from "./product.ts";
export { startBroadcasts } from "./work.ts";
