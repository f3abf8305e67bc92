// DOORS: what became of deliveries, in numbers and over time.
export { jobs } from "./jobs.ts";
export { metricsByVariant, metricsOf } from "./metrics.ts";
export { product } from "./product.ts";
