import type { CampaignSeries } from "@tidings/contract/campaigns/runs";

/** What can be drawn over time. */
export const measures = [
  "entered",
  "completed",
  "exited",
  "failed",
  "converted",
  "sent",
  "delivered",
  "shown",
  "opened",
  "clicked",
] as const;
export type Measure = (typeof measures)[number];

const ofRuns = ["entered", "completed", "exited", "failed", "converted"] as const;
type OfRuns = (typeof ofRuns)[number];
const isOfRuns = (measure: Measure): measure is OfRuns => ofRuns.some((one) => one === measure);

/** Returns a measure in each bucket. Failed are runs; failed messages are in the table of messages. */
export const valuesOf = ({ data }: CampaignSeries, measure: Measure): number[] =>
  data.map(({ runs, messages }) => (isOfRuns(measure) ? (runs[measure] ?? 0) : messages[measure]));

/** Returns the measures that a campaign has: a goal only where it has one, and of in-app what its channels know. */
export const measuresOf = (hasGoal: boolean): readonly Measure[] =>
  measures.filter((one) => one !== "converted" || hasGoal);
