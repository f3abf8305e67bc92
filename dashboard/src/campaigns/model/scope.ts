import { stepsIn } from "@tidings/contract/campaigns/journey";
import type { LiquidScope } from "../../content/liquid/scope.ts";
import type { Draft } from "../campaign-shape.ts";

/** Returns what the contents of a campaign can name besides the person. */
export function scopeOf({ trigger, steps }: Pick<Draft, "trigger" | "steps">): LiquidScope {
  const all = stepsIn(steps);
  return {
    trigger:
      trigger.type === "event"
        ? { event: trigger.name || undefined }
        : trigger.type === "api"
          ? {}
          : { fields: trigger.type === "audience" ? [] : ["date", "at"] },
    steps: all.flatMap((step): NonNullable<LiquidScope["steps"]> => {
      if (step.type === "webhook") return [{ id: step.id, fields: ["response"] }];
      return step.type === "wait_until" ? [{ id: step.id, fields: ["event"], event: step.event }] : [];
    }),
    batch: all.some(({ type }) => type === "batch"),
  };
}
