// FACTS: the names of the screens that applications really have.
import type { ConnectedGround, Slice } from "../workspaces/index.ts";
import { product } from "./product.ts";

export { screenCatalog } from "./catalog.ts";
export { loose } from "./similar.ts";
export { latestScreens } from "./store.ts";

/** What the roof connects. */
export const slice: Slice<ConnectedGround> = { name: "screens", product };
