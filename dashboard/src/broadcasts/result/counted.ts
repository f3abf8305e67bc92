import type { Metric } from "../../analytics/metrics.ts";
import type { Broadcast } from "../broadcast.ts";

/** Whether a number could be more than zero: nobody learns that an email was opened where its tracking is off. */
export function isCounted(name: Metric, { channel, tracking }: Pick<Broadcast, "channel" | "tracking">): boolean {
  if (channel !== "email") return true;
  if (name === "opened") return tracking.opens;
  return name === "clicked" ? tracking.clicks : true;
}
