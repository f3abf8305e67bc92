import type { RunStatus } from "@tidings/contract/campaigns/campaigns";
import type { StepState } from "@tidings/contract/campaigns/runs";
import type { Channel } from "@tidings/contract/facts/activity";
import { channels } from "../../activity/delivery.ts";
import { type Measure, measures } from "./numbers/measures.ts";

export const runStatuses = ["active", "completed", "exited", "failed", "canceled"] as const satisfies RunStatus[];
export const stepStates = ["entered", "passed", "failed", "exited"] as const satisfies StepState[];

/** Which runs are listed: those behind a number, or of one person. */
export interface RunFilters {
  person?: string;
  status?: RunStatus;
  /** Runs that are at this step now; with `state` those that the number of the step counts. */
  step?: string;
  state?: (typeof stepStates)[number];
  converted?: true;
  from?: string;
  to?: string;
}

/** What the address says about the runs and numbers of a campaign. */
export interface OperateSearch extends RunFilters {
  /** The run whose history is open. */
  run?: string;
  channel?: Channel;
  measure?: Measure;
  bucket?: "hour";
}

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((one) => one === value);
const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
const instant = (value: unknown): string | undefined =>
  typeof value === "string" && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : undefined;

/** Reads the address; what it does not know is left out. */
export function operateSearchOf(given: Record<string, unknown>): OperateSearch {
  const step = text(given.step);
  const read = {
    person: text(given.person),
    status: oneOf(runStatuses, given.status),
    step,
    // The service refuses a state without its step.
    state: step && oneOf(stepStates, given.state),
    converted: given.converted === true || given.converted === "true" ? (true as const) : undefined,
    from: instant(given.from),
    to: instant(given.to),
    run: text(given.run),
    channel: oneOf(channels, given.channel),
    measure: oneOf(measures, given.measure),
    bucket: oneOf(["hour"] as const, given.bucket),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** Returns the filters of the list of runs. */
export const filtersOf = ({ person, status, step, state, converted, from, to }: OperateSearch): RunFilters => ({
  ...(person && { person }),
  ...(status && { status }),
  ...(step && { step }),
  ...(state && { state }),
  ...(converted && { converted }),
  ...(from && { from }),
  ...(to && { to }),
});

/** Returns the query of the product API for these runs. */
export const queryOf = ({ person, ...filters }: RunFilters) => ({ ...filters, ...(person && { person_id: person }) });
