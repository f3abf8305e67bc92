import type { House } from "./house.ts";
import type { App } from "./platform/http/index.ts";
import { SLICES } from "./slices.ts";

/** Mounts the routes without a key: for recipients, whose signed link says who they are, and for providers, who sign their calls. */
export function mountPages(app: App, house: House): void {
  for (const { pages } of SLICES) app.register(async (scope: App) => pages?.(scope, house));
}
