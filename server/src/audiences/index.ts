// WHAT: filters over people, and lists of people.
import { type ConnectedGround, held, type Slice } from "../workspaces/index.ts";
import { topicUsers } from "./audience.ts";
import { product } from "./product.ts";

export { checkNamed } from "./audience.ts";
export { conditionsOf } from "./filter/conditions.ts";
export { loadFilterContext } from "./filter/context.ts";
export { attributeOf, evaluate, type PersonFacts, propertiesMatch, valueAt } from "./filter/evaluate.ts";
export { factsOf } from "./filter/facts.ts";
export { attributeBetween, attributeText } from "./filter/filter-store.ts";
export { type ExtraReaders, readFilter, readFilterWith, readWhere } from "./filter/filter.ts";
export { instantOf } from "./filter/instant.ts";
export { meaningOf } from "./filter/meaning.ts";
export { LIST_CHANGED } from "./members/members.ts";
export { askedOf, shown } from "./filter/wording.ts";
export { conditionFor, countOf, page, pageOfKeys, putOnList, takeOffList } from "./members/members.ts";
export { roomToCount } from "./members/members-store.ts";
export { audienceById } from "./store.ts";

/** The parts of this slice that the roof connects. */
export const slice: Slice<ConnectedGround> = {
  name: "audiences",
  product,
  users: { topic: topicUsers },
  holds: [held("audience_members", { ids: { audience_id: "aud" } })],
};

declare module "../platform/ids.ts" {
  interface Prefixes {
    aud: true;
  }
}
