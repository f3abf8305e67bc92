import type { Step } from "@tidings/contract/campaigns/steps";
import type { Campaign, Draft } from "../campaign-shape.ts";

/** Fields to change; those that are undefined are left out. */
export type Part<T> = { [K in keyof T]?: T[K] | undefined };

/** What the form of a step needs. */
export interface StepFormProps<S extends Step> {
  step: S;
  /** Changes fields of the step. A field that is undefined is left out. */
  set: (part: Part<S>) => void;
  /** The problem of a field, by its pointer into the step without the first slash. */
  errorOf: (field: string) => string | undefined;
  off: boolean;
  draft: Draft;
  campaign: Campaign;
}

/** Returns a step with some fields changed. Fields that are undefined are left out, as the service has it. */
export function withFields<T extends object>(step: T, part: Part<T>): T {
  const entries = Object.entries({ ...step, ...part }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}
