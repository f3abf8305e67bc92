// WHAT: the images of messages. They are decoded and written anew when they are uploaded, and served from addresses that never change.
import type { ConnectedGround, Slice } from "../workspaces/index.ts";
import type { MediaGround } from "./ground.ts";
import { jobs } from "./jobs.ts";
import { pages } from "./pages.ts";
import { product } from "./product.ts";

export { filesOf } from "./files/files.ts";
export type { MediaGround } from "./ground.ts";

/** What the roof connects. */
export const slice: Slice<MediaGround & ConnectedGround> = { name: "media", product, pages, jobs };

declare module "../platform/ids.ts" {
  interface Prefixes {
    img: true;
  }
}
