// WHY: automated journeys. People enter by something that happens, and pass one step after another.
import type { OutboundGround } from "../outbound/index.ts";
import type { Slice } from "../workspaces/index.ts";
import { product } from "./product.ts";

/** What the roof connects. */
export const slice: Slice<OutboundGround> = { name: "campaigns", product };

declare module "../platform/ids.ts" {
  interface Prefixes {
    run: true;
  }
}
