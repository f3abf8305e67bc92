// HOW: email templates, layouts and snippets. They are compiled when they are saved, so sending never compiles.
import type { ConnectedGround, Slice } from "../workspaces/index.ts";
import { imageUsers } from "./named.ts";
import { product } from "./product.ts";

export { checkTemplate, noTemplate, templateIdOf } from "./named.ts";
export { newestTemplates, templateAt } from "./newest.ts";

/** What the roof connects. */
export const slice: Slice<ConnectedGround> = {
  name: "templates",
  product,
  users: { image: imageUsers },
};

declare module "../platform/ids.ts" {
  interface Prefixes {
    tpl: true;
    lay: true;
    snp: true;
  }
}
