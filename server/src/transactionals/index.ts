// WHY: one message to one person, because a call says so.
import { namesBy, type Slice } from "../workspaces/index.ts";
import { gateway } from "./gateway.ts";
import { product } from "./product.ts";
import { namesById } from "./store.ts";
import { imageUsers, templateUsers } from "./templated.ts";
import type { TransactionalsGround } from "./trigger.ts";

export type { DataSchema } from "./contract.ts";
export { type TransactionalsGround, type Trigger, triggerer } from "./trigger.ts";

/** What the roof connects. */
export const slice: Slice<TransactionalsGround> = {
  name: "transactionals",
  gateway,
  product,
  users: { template: templateUsers, image: imageUsers },
  namesOf: namesBy("tx", namesById),
};
