// DOORS: what became of deliveries, in numbers and over time.
import type { Slice } from "../workspaces/index.ts";
import { jobs } from "./jobs.ts";
import { product } from "./product.ts";

export { metricsByChannel, metricsByVariant, metricsOf, NOTHING } from "./metrics.ts";

/** What the roof connects. */
export const slice: Slice = { name: "analytics", product, jobs };
