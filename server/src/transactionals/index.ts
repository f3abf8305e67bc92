// WHY: one message to one person, because a call says so.
export type { DataSchema } from "./contract.ts";
export { gateway } from "./gateway.ts";
export { product } from "./product.ts";
export { nameOf } from "./transactional.ts";
export { templateUsers } from "./templated.ts";
export { type Trigger, triggerer } from "./trigger.ts";
