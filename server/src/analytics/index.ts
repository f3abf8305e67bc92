// DOORS: the numbers of deliveries and their results, in all and over time.
import type { ConnectedGround, Slice } from "../workspaces/index.ts";
import { jobs } from "./jobs.ts";
import { product } from "./product.ts";

export { compare, type Group, rateOf } from "./comparison.ts";
export {
  askedFor,
  metricsByChannel,
  metricsByStep,
  metricsByVariant,
  metricsOf,
  type StepMetrics,
  ZEROS,
} from "./metrics.ts";
export { seriesOf } from "./series.ts";
export { numberRoutes } from "./source-numbers.ts";

/** What the roof connects. */
export const slice: Slice<ConnectedGround> = { name: "analytics", product, jobs };
