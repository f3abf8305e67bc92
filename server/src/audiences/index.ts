// WHAT: filters over people, and lists of people.
export { topicUsers } from "./audience.ts";
export { readFilter } from "./filter/filter.ts";
export { countOf, page, pageOfKeys } from "./members/members.ts";
export { product } from "./product.ts";
export type { NameOf } from "./why.ts";
