import { setTimeout as sleep } from "node:timers/promises";
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from "prom-client";
import type { OtherThread, Told } from "./other-thread.ts";

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

const ASKED: Told<undefined> = "metrics.asked";
const ANSWERED: Told<Metrics> = "metrics.answered";

/** How long a scrape waits for the other thread. After that it shows what that one answered last. */
const LATE_MS = 1_500;

/** Answers the scrapes of the other thread with the metrics of this one. */
export function answerScrapes(other: OtherThread, registry: Registry): void {
  other.on(ASKED, () => {
    registry.getMetricsAsJSON().then(
      (metrics) => other.tell(ANSWERED, metrics),
      () => {},
    );
  });
}

/**
 * Returns the function that makes the text of GET /metrics. Where the process has two threads, it is the sum of both; a gauge says how else they are put
 * together (its `aggregator`).
 */
export function scraper(registry: Registry, other: OtherThread | undefined): () => Promise<string> {
  if (!other) return () => registry.metrics();
  let theirs: Metrics = [];
  let asking: PromiseWithResolvers<void> | undefined;
  other.on(ANSWERED, (metrics) => {
    theirs = metrics;
    asking?.resolve();
  });

  async function ask(to: OtherThread): Promise<void> {
    if (!asking) to.tell(ASKED, undefined);
    asking ??= Promise.withResolvers();
    const mine = asking;
    await Promise.race([mine.promise, sleep(LATE_MS, undefined, { ref: false })]);
    if (asking === mine) asking = undefined;
  }

  return async () => {
    await ask(other);
    const names = new Set(theirs.map(({ name }) => name));
    const [own, both] = split(await registry.getMetricsAsJSON(), names);
    const texts = await Promise.all(own.map(({ name }) => registry.getSingleMetricAsString(name)));
    return [...texts, await AggregatorRegistry.aggregate([both, theirs] as never).metrics()].join("\n\n");
  };
}

/** Returns the metrics that are not among these names, and those that are. */
const split = (metrics: Metrics, names: Set<string>): [Metrics, Metrics] => [
  metrics.filter(({ name }) => !names.has(name)),
  metrics.filter(({ name }) => names.has(name)),
];
